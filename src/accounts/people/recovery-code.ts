import { createHash } from "node:crypto";
import type { Random } from "../../platform/kernel/random.ts";

export const recoveryCodeCount = 10;

/** Crockford's base32: no letter that looks like a digit. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const length = 16;

/** A code of 80 random bits, in four groups: `7k3m-...`. So many bits need no slow hash. */
export function generateRecoveryCode(random: Random): string {
  const letters = Array.from(random.bytes(length), (byte) => alphabet[byte % 32] ?? "");
  return letters.join("").replaceAll(/(.{4})(?=.)/g, "$1-");
}

/** What the database knows of a code, however its reader spaced it or took its letters; null for what can be none. */
export function recoveryCodeDigest(code: string): Uint8Array | null {
  const plain = code
    .toLowerCase()
    .replaceAll(/[\s-]/g, "")
    .replaceAll("o", "0")
    .replaceAll(/[il]/g, "1");
  if (plain.length !== length || !/^[0-9a-hjkmnp-tv-z]+$/.test(plain)) return null;
  return new Uint8Array(createHash("sha256").update(plain).digest());
}
