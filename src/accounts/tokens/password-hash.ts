import { hash, verify } from "@node-rs/argon2";
import type { Random } from "../../platform/kernel/random.ts";

/** Cost of Argon2id: memory in KiB, passes over it, threads. */
export type PasswordHashing = {
  readonly memoryKib: number;
  readonly passes: number;
  readonly threads: number;
};

/** OWASP's minimum for Argon2id; the passwords are 256-bit random, so the cost is not what protects them. */
export const defaultPasswordHashing: PasswordHashing = {
  memoryKib: 19_456,
  passes: 2,
  threads: 1,
};

/** Hashes with a fresh salt into a PHC string; the library's algorithm is Argon2id (RFC 9106) where none is named. */
export function hashPassword(
  password: string,
  hashing: PasswordHashing,
  random: Random,
): Promise<string> {
  return hash(password, {
    memoryCost: hashing.memoryKib,
    timeCost: hashing.passes,
    parallelism: hashing.threads,
    salt: random.bytes(16),
  });
}

/** Whether the password is the one that was hashed. Takes as long as hashing does. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}

/** A hash of the same cost that no password matches, for a login that does not exist to take as long as one that does. */
export function unmatchableHash(hashing: PasswordHashing, random: Random): string {
  const encode = (bytes: Uint8Array): string =>
    Buffer.from(bytes).toString("base64").replaceAll("=", "");
  const cost = `m=${hashing.memoryKib},t=${hashing.passes},p=${hashing.threads}`;
  return `$argon2id$v=19$${cost}$${encode(random.bytes(16))}$${encode(random.bytes(32))}`;
}
