import { createCipheriv, createECDH, hkdfSync } from "node:crypto";
import { assert } from "../kernel/assert.ts";

/** What a browser gave for its messages. */
export type PushKeys = {
  /** An uncompressed point of P-256 (`p256dh`), 65 bytes. */
  readonly publicKey: Uint8Array;
  /** 16 bytes. */
  readonly auth: Uint8Array;
};

/** Bytes of an encrypted message. Push services take 4096 (RFC 8030, 7.2). */
const recordBytes = 4_096;
const saltBytes = 16;
const tagBytes = 16;
const headerBytes = saltBytes + 4 + 1 + 65;
/** Longest text of a message, in bytes of UTF-8 (RFC 8291, 4: 3993). */
export const pushTextMax = recordBytes - headerBytes - tagBytes - 1;

/**
 * Encrypts a message for one browser, as `aes128gcm` (RFC 8291 over RFC 8188). `secret` is the sender's key of this message alone (32
 * bytes, a scalar of P-256) and `salt` has 16 bytes; both must be new. `padding` is the number of zero bytes behind the text. Throws for
 * a public key that is no point of the curve.
 */
export function encryptPush(
  text: Uint8Array,
  { publicKey, auth }: PushKeys,
  {
    secret,
    salt,
    padding,
  }: { readonly secret: Uint8Array; readonly salt: Uint8Array; readonly padding: number },
): Uint8Array {
  assert(text.length + padding <= pushTextMax, "a push message fits into one record");
  const sender = createECDH("prime256v1");
  sender.setPrivateKey(secret);
  const senderPublic = sender.getPublicKey();
  const shared = sender.computeSecret(publicKey);
  const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, senderPublic]);
  const inputKey = derive(shared, auth, keyInfo, 32);
  const contentKey = derive(inputKey, salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = derive(inputKey, salt, "Content-Encoding: nonce\0", 12);
  const cipher = createCipheriv("aes-128-gcm", contentKey, nonce);
  // 2 ends the last record; the padding follows it.
  const record = Buffer.concat([text, Buffer.of(2), Buffer.alloc(padding)]);
  const sealed = Buffer.concat([cipher.update(record), cipher.final(), cipher.getAuthTag()]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordBytes);
  return Buffer.concat([salt, size, Buffer.of(senderPublic.length), senderPublic, sealed]);
}

function derive(
  key: Uint8Array,
  salt: Uint8Array,
  info: string | Uint8Array,
  length: number,
): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, salt, info, length));
}

/** Whether these keys can be encrypted to. */
export function arePushKeys({ publicKey, auth }: PushKeys): boolean {
  if (publicKey.length !== 65 || publicKey[0] !== 4 || auth.length !== 16) return false;
  const probe = createECDH("prime256v1");
  probe.setPrivateKey(Buffer.alloc(32, 1));
  try {
    probe.computeSecret(publicKey);
    return true;
  } catch {
    // It is no point of the curve.
    return false;
  }
}
