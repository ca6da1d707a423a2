import { createHash } from "node:crypto";
import type { Random } from "../../platform/kernel/random.ts";

export const recoveryCodeCount = 10;

/** Crockford's base32, without letters that look like digits. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const length = 16;

/** Generates a code of 80 random bits in four groups, such as `7k3m-...`. A fast hash is enough for so many bits. */
export function generateRecoveryCode(random: Random): string {
  const letters = Array.from(random.bytes(length), (byte) => alphabet[byte % 32] ?? "");
  return letters.join("").replaceAll(/(.{4})(?=.)/g, "$1-");
}

/** The digest that the database holds, whatever the spacing, case and look-alike letters of the input; null for a malformed code. */
export function recoveryCodeDigest(code: string): Uint8Array | null {
  const plain = code
    .toLowerCase()
    .replaceAll(/[\s-]/g, "")
    .replaceAll("o", "0")
    .replaceAll(/[il]/g, "1");
  if (plain.length !== length || !/^[0-9a-hjkmnp-tv-z]+$/.test(plain)) return null;
  return new Uint8Array(createHash("sha256").update(plain).digest());
}
