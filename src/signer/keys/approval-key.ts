import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { present } from "../../platform/kernel/assert.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { createAtomically } from "../../platform/processes/write-atomically.ts";
import { type PayoutIntent, signApproval } from "../intent.ts";

/** Approves payouts. It moves no funds by itself, and the signer moves none without it. */
export type ApprovalKey = {
  /** For the signer's configuration: 32 bytes in base64. */
  readonly publicKey: string;
  /** Ed25519 over `approvalMessage`, 64 bytes. */
  readonly approve: (intent: PayoutIntent) => Uint8Array;
};

/** PKCS #8 (RFC 8410) of an Ed25519 key, up to its 32 bytes. */
const privateHead = Buffer.from("302e020100300506032b657004220420", "hex");
const keyLength = 32;

/** Creates the key file (PEM, like `openssl genpkey -algorithm ed25519`; mode 0600). Rejects with `EEXIST` if it exists. */
export async function createApprovalKey(path: string, random: Random): Promise<void> {
  const bytes = random.bytes(keyLength);
  const der = Buffer.concat([privateHead, bytes]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  bytes.fill(0);
  der.fill(0);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await createAtomically(path, key.export({ format: "pem", type: "pkcs8" }));
}

/** Reads the key. Rejects with the system's error if there is no file, and if it holds no Ed25519 key. */
export async function readApprovalKey(path: string): Promise<ApprovalKey> {
  const key = parsePrivateKey(path, await readFile(path, "utf8"));
  return {
    publicKey: rawPublicKey(createPublicKey(key)).toString("base64"),
    approve: (intent) => signApproval(key, intent),
  };
}

/** A public key from its 32 bytes in base64. Throws a `RangeError` for anything else. */
export function parseApprovalPublicKey(text: string): KeyObject {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== keyLength || bytes.toString("base64") !== text) {
    throw new RangeError("an approval key is 32 bytes in base64");
  }
  const jwk = { kty: "OKP", crv: "Ed25519", x: bytes.toString("base64url") };
  return createPublicKey({ key: jwk, format: "jwk" });
}

function parsePrivateKey(path: string, pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // The parser's message does not help, and may quote the file.
  }
  throw new Error(`${path} contains no Ed25519 private key`);
}

function rawPublicKey(key: KeyObject): Buffer {
  return Buffer.from(present(key.export({ format: "jwk" }).x, "the public key"), "base64url");
}
