import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";
import { assert, present } from "./assert.ts";
import type { Random } from "./random.ts";

/** Encryption at rest with the service's data key. */
export type Seal = {
  /**
   * The first bytes of each data key's sealed values, in hex: version and key id. The sealing key's come first, then those of the
   * older keys in order.
   */
  readonly heads: readonly [string, ...string[]];
  /** `context` names the value (`credential/17/callback-key`), so that a sealed value moved to another row does not open. */
  readonly seal: (plain: Uint8Array, context: string) => Uint8Array;
  /** Throws `InvariantViolation` if the value was altered, moved, or sealed with an unknown key. */
  readonly open: (sealed: Uint8Array, context: string) => Uint8Array;
};

const version = 1;
const keyIdLength = 4;
const nonceLength = 12;
const tagLength = 16;
const headerLength = 1 + keyIdLength + nonceLength;

type SealKey = { readonly id: Buffer; readonly bytes: Uint8Array };

/**
 * AES-256-GCM (NIST SP 800-38D) under a 32-byte data key with a random 96-bit nonce. A sealed value is
 * `version(1) key id(4) nonce(12) ciphertext tag(16)`; the head and the context are authenticated too. `dataKey`
 * seals; `olderKeys` open values sealed before a rotation.
 */
export function createSeal(
  dataKey: Uint8Array,
  random: Random,
  olderKeys: readonly Uint8Array[] = [],
): Seal {
  const sealing = sealKey(dataKey);
  const byId = new Map(
    [...olderKeys.map(sealKey), sealing].map((key) => [key.id.toString("hex"), key]),
  );
  assert(byId.size === olderKeys.length + 1, "two data keys share a key id");

  return {
    heads: [headOf(sealing), ...olderKeys.map((key) => headOf(sealKey(key)))],
    seal: (plain, context) => {
      const head = Buffer.concat([Buffer.of(version), sealing.id, random.bytes(nonceLength)]);
      const cipher = createCipheriv("aes-256-gcm", sealing.bytes, nonceOf(head));
      cipher.setAAD(Buffer.concat([head, Buffer.from(context, "utf8")]));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return new Uint8Array(Buffer.concat([head, body, cipher.getAuthTag()]));
    },
    open: (sealed, context) => {
      assert(
        sealed.length >= headerLength + tagLength && sealed[0] === version,
        "the value was not sealed by this service",
      );
      const bytes = Buffer.from(sealed);
      const head = bytes.subarray(0, headerLength);
      const keyId = head.subarray(1, 1 + keyIdLength).toString("hex");
      const key = present(byId.get(keyId), `no data key ${keyId} is configured`);
      const decipher = createDecipheriv("aes-256-gcm", key.bytes, nonceOf(head), {
        authTagLength: tagLength,
      });
      decipher.setAAD(Buffer.concat([head, Buffer.from(context, "utf8")]));
      decipher.setAuthTag(bytes.subarray(-tagLength));
      const plain = decipher.update(bytes.subarray(headerLength, -tagLength));
      assert(isAuthentic(decipher), `the sealed value of ${context} is not authentic`);
      return new Uint8Array(plain);
    },
  };
}

/** The id is derived from the key, so no configuration can get it wrong; it reveals nothing about the key. */
function sealKey(bytes: Uint8Array): SealKey {
  assert(bytes.length === 32, "a data key has 32 bytes");
  const id = createHmac("sha256", bytes).update("sluice data key id").digest();
  return { id: id.subarray(0, keyIdLength), bytes };
}

function headOf({ id }: SealKey): string {
  return Buffer.concat([Buffer.of(version), id]).toString("hex");
}

function nonceOf(head: Uint8Array): Uint8Array {
  return head.subarray(1 + keyIdLength, headerLength);
}

function isAuthentic(decipher: { readonly final: () => Buffer }): boolean {
  try {
    decipher.final();
    return true;
  } catch {
    return false;
  }
}
