import { createPublicKey, verify } from "node:crypto";
import { assert } from "../../platform/kernel/assert.ts";
import { type CreatedKey, createdKeyMessage, type IssuedRange } from "../../signer/protocol.ts";
import type { SignerClient } from "../../signer/signer-client.ts";
import type { CreatedAddressing } from "../port.ts";
import type { PooledAddress } from "./address-pool.store.ts";
import { assertSame, pooled } from "./derive-batch.ts";

/**
 * The addresses of keys that the signer creates for the range; null if another worker had the range recorded first. Each key
 * must prove that the signer can sign with it, checked by another library than the signer's, and two libraries must compute the
 * same address from it. Throws `InvariantViolation` otherwise: then no address of the batch may be shown to anyone.
 */
export async function createBatch(
  signer: Pick<SignerClient, "createKeys">,
  addressing: CreatedAddressing,
  range: IssuedRange,
): Promise<readonly PooledAddress[] | null> {
  const outcome = await signer.createKeys(range);
  if (outcome.kind === "refused") return null;
  const { first, last } = range;
  const { keys } = outcome;
  assert(keys.length === last - first + 1, `${keys.length} keys for ${first} to ${last}`);
  return keys.map((key, place) => {
    const index = first + place;
    assert(key.index === index, `the key of ${key.index} in place of ${index}`);
    assert(isProven(range, key), `the signer does not prove the key of deposit address ${index}`);
    const publicKey = Uint8Array.from(Buffer.from(key.publicKey, "hex"));
    const destination = addressing.addressOf(publicKey);
    assertSame(destination, addressing.addressAgain(publicKey), index);
    return pooled(addressing, destination, index);
  });
}

/** The DER prefix of an Ed25519 public key (RFC 8410). */
const keyPrefix = Buffer.from("302a300506032b6570032100", "hex");

function isProven(range: IssuedRange, key: CreatedKey): boolean {
  if (!/^[0-9a-f]{64}$/.test(key.publicKey) || !/^[0-9a-f]{128}$/.test(key.proof)) return false;
  const der = Buffer.concat([keyPrefix, Buffer.from(key.publicKey, "hex")]);
  const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
  return verify(null, createdKeyMessage(range, key), publicKey, Buffer.from(key.proof, "hex"));
}
