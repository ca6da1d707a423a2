import { createHash } from "node:crypto";
import type { Random } from "../../platform/kernel/random.ts";

/** Generates an opaque token of 256 random bits. The database holds only its SHA-256. */
export function generateOpaqueToken(random: Random): { token: string; digest: Uint8Array } {
  const token = Buffer.from(random.bytes(32)).toString("base64url");
  return { token, digest: tokenDigest(token) };
}

/** The SHA-256 of an opaque token, which the database holds. */
export function tokenDigest(token: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(token).digest());
}
