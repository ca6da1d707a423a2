import { assert } from "../platform/kernel/assert.ts";

/*
 * The tags that tell apart the deposits of one shared account: 10-digit multiples of 17. They fit an XRP destination tag (32
 * bits), a Stellar memo (64 bits) and a TON comment.
 *
 * Being a multiple of 17 is their check: 17 divides no single digit's error (d * 10^i), and no exchange of two digits
 * ((a - b) * (10^i - 10^j)), since the powers of 10 are distinct modulo 17 up to 10^15. A digit too many or too few gives
 * another length. A decimal check digit (Damm, Verhoeff) leaves twice as many tags but misses exchanges of distant digits.
 */

const modulus = 17;
/** The first multiple with 10 digits. */
const first = 1_000_000_010;
/** XRP destination tags are below 2^32. */
const last = 2 ** 32 - 1;

/** How many deposits an account can tell apart: 193 million. */
export const depositTagsMax = Math.floor((last - first) / modulus);

/** The tag of the operator's own money: the multiple of 17 after those of deposits, so no slip turns one into the other. */
export const ownFundsTag = String(first + depositTagsMax * modulus);

/** The tag of the deposit with that index, from 0: 10 decimal digits. */
export function depositTagAt(index: number): string {
  assert(
    Number.isInteger(index) && index >= 0 && index < depositTagsMax,
    `an index of the ${depositTagsMax} tags of an account`,
  );
  return String(first + index * modulus);
}

/** The index of the deposit whose tag this is; null for all other text, in particular for a tag with one wrong digit. */
export function depositTagIndex(tag: string): number | null {
  if (!/^[1-9]\d{9}$/.test(tag)) return null;
  const above = Number(tag) - first;
  const index = above / modulus;
  return Number.isInteger(index) && index >= 0 && index < depositTagsMax ? index : null;
}
