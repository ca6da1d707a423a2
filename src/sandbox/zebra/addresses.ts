import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";

const base58check = createBase58check(sha256);
const hashLength = 20;
/** `tm` and `t2` of the test networks, around the hash in a script. */
const forms = [
  { prefix: "1d25", before: "76a914", after: "88ac" },
  { prefix: "1cba", before: "a914", after: "87" },
] as const;

/** The script of a transparent address of a test network; null for any other text. */
export function scriptOfAddress(address: string): string | null {
  try {
    const bytes = Buffer.from(base58check.decode(address));
    const prefix = bytes.toString("hex", 0, bytes.length - hashLength);
    const form = forms.find((one) => one.prefix === prefix);
    if (form === undefined) return null;
    return `${form.before}${bytes.toString("hex", bytes.length - hashLength)}${form.after}`;
  } catch {
    return null;
  }
}

/** Null for a script without an address. */
export function addressOfScript(script: string): string | null {
  for (const { prefix, before, after } of forms) {
    const hash = script.slice(before.length, script.length - after.length);
    if (script === `${before}${hash}${after}` && hash.length === 2 * hashLength)
      return base58check.encode(Buffer.from(prefix + hash, "hex"));
  }
  return null;
}

/** RIPEMD-160 of SHA-256, in hex. */
export function hash160(bytes: Uint8Array): string {
  return Buffer.from(ripemd160(sha256(bytes))).toString("hex");
}
