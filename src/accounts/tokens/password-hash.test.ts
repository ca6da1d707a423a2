import { describe, expect, it } from "vitest";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { hashPassword, unmatchableHash, verifyPassword } from "./password-hash.ts";

const hashing = { memoryKib: 64, passes: 2, threads: 1 };
/** The parameters that determine how long a verification takes. */
const cost = (passwordHash: string): string[] =>
  passwordHash.split("$").map((part, index) => (index > 3 ? String(part.length) : part));

describe("hashPassword", () => {
  it("produces salted hashes that only their own password matches", async () => {
    const one = await hashPassword("correct", hashing, systemRandom);
    const two = await hashPassword("correct", hashing, systemRandom);
    expect(one).not.toBe(two);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=64,t=2,p=1\$/);
    expect(await verifyPassword(one, "correct", hashing, systemRandom)).toBe(true);
    expect(await verifyPassword(one, "Correct", hashing, systemRandom)).toBe(false);
  });
});

describe("verifyPassword", () => {
  it("matches no password of an unknown login", async () => {
    expect(await verifyPassword(null, "", hashing, systemRandom)).toBe(false);
  });
});

describe("unmatchableHash", () => {
  it("costs as much as a real hash and matches no password", async () => {
    const dummy = unmatchableHash(hashing, systemRandom);
    expect(cost(dummy)).toEqual(cost(await hashPassword("any", hashing, systemRandom)));
    expect(await verifyPassword(dummy, "any", hashing, systemRandom)).toBe(false);
  });
});
