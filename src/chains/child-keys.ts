import { createHmac } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { HDKey } from "@scure/bip32";
import { assert, present } from "../platform/kernel/assert.ts";

const { Point } = secp256k1;

/** BIP32's refusal of an index, which has a probability below 1 in 2^127. */
const invalidChild = "an invalid child key: BIP32 skips this index";

/**
 * The public keys `parent/index` of non-hardened children (BIP32, CKDpub), as points. Takes half the time of `deriveChild`, which computes each
 * point from its compressed form once more and in constant time; here nothing is secret. Each caller compares its addresses with those of
 * another library.
 */
export function childKeysOf(
  parent: Pick<HDKey, "publicKey" | "chainCode">,
): (index: number) => typeof Point.BASE {
  const publicKey = present(parent.publicKey, "the parent's public key");
  const chainCode = present(parent.chainCode, "the parent's chain code");
  const point = Point.fromBytes(publicKey);
  return (index) => {
    assert(index >= 0 && index < 2 ** 31, "a non-hardened index");
    const data = Buffer.alloc(publicKey.length + 4);
    data.set(publicKey);
    data.writeUInt32BE(index, publicKey.length);
    const digest = createHmac("sha512", chainCode).update(data).digest("hex");
    const tweak = BigInt(`0x${digest.slice(0, 64)}`);
    assert(tweak > 0n && tweak < Point.Fn.ORDER, invalidChild);
    const child = point.add(Point.BASE.multiplyUnsafe(tweak));
    assert(!child.equals(Point.ZERO), invalidChild);
    return child;
  };
}
