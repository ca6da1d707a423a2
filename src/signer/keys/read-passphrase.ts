import { existsSync, readFileSync } from "node:fs";
import { KeystoreLocked } from "./keystore.ts";

/** The source of the passphrase: a file (a mounted secret), an open descriptor, or an environment variable. */
export type PassphraseSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "descriptor"; readonly fd: number }
  | { readonly kind: "environment"; readonly name: string };

/**
 * Reads the passphrase, without an editor's trailing line break; the caller overwrites the bytes when done. A variable is
 * removed from the environment, where child processes and crash reports would see it. Throws `KeystoreLocked` if there is none.
 */
export function readPassphrase(source: PassphraseSource): Uint8Array {
  const bytes = readSource(source);
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d)) end -= 1;
  if (end === 0) throw new KeystoreLocked(`${nameOf(source)} is empty`);
  return bytes.subarray(0, end);
}

function readSource(source: PassphraseSource): Buffer {
  switch (source.kind) {
    case "file":
      if (!existsSync(source.path)) {
        const name = nameOf(source);
        throw new KeystoreLocked(`${name} does not exist: it holds the passphrase of the keystore`);
      }
      return readFileSync(source.path);
    case "descriptor":
      return readFileSync(source.fd);
    case "environment": {
      const value = process.env[source.name] ?? "";
      Reflect.deleteProperty(process.env, source.name);
      return Buffer.from(value, "utf8");
    }
  }
}

function nameOf(source: PassphraseSource): string {
  return source.kind === "file" ? `the passphrase file ${source.path}` : "the passphrase";
}
