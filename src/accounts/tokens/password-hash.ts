import type { Random } from "../../platform/kernel/random.ts";

/** The cost of Argon2id: memory in KiB, passes, threads. */
export type PasswordHashing = {
  readonly memoryKib: number;
  readonly passes: number;
  readonly threads: number;
};

/** OWASP's minimum for Argon2id. It is enough for the random 256-bit passwords of programs. */
export const defaultPasswordHashing: PasswordHashing = {
  memoryKib: 19_456,
  passes: 2,
  threads: 1,
};

/**
 * Hashes with a new salt into a PHC string. The library's default algorithm is Argon2id (RFC 9106); it is loaded at the first
 * use, since workers hardly ever need it.
 */
export async function hashPassword(
  password: string,
  hashing: PasswordHashing,
  random: Random,
): Promise<string> {
  const { hash } = await import("@node-rs/argon2");
  return hash(password, {
    memoryCost: hashing.memoryKib,
    timeCost: hashing.passes,
    parallelism: hashing.threads,
    salt: random.bytes(16),
  });
}

/** Whether the password matches. Takes as long as hashing, also for an unknown login (`passwordHash` null), which none matches. */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
  hashing: PasswordHashing,
  random: Random,
): Promise<boolean> {
  const { verify } = await import("@node-rs/argon2");
  return verify(passwordHash ?? unmatchableHash(hashing, random), password);
}

/** A hash of this cost that no password matches. */
export function unmatchableHash(hashing: PasswordHashing, random: Random): string {
  const encode = (bytes: Uint8Array): string =>
    Buffer.from(bytes).toString("base64").replaceAll("=", "");
  const cost = `m=${hashing.memoryKib},t=${hashing.passes},p=${hashing.threads}`;
  return `$argon2id$v=19$${cost}$${encode(random.bytes(16))}$${encode(random.bytes(32))}`;
}
