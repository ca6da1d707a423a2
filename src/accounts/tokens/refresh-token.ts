import { createHash } from "node:crypto";
import type { Random } from "../../platform/kernel/random.ts";

/** A refresh token: opaque, 256 random bits; the database knows only its SHA-256. */
export function generateRefreshToken(random: Random): { token: string; digest: Uint8Array } {
  const token = Buffer.from(random.bytes(32)).toString("base64url");
  return { token, digest: refreshDigest(token) };
}

/** SHA-256 of a refresh token: the token itself is never stored. */
export function refreshDigest(token: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(token).digest());
}
