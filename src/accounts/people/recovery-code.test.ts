import { describe, expect, it } from "vitest";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { generateRecoveryCode, recoveryCodeDigest } from "./recovery-code.ts";

describe("recoveryCodeDigest", () => {
  it("is the same for every spacing, case and look-alike letter", () => {
    const code = generateRecoveryCode(systemRandom);
    expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    const digest = recoveryCodeDigest(code);
    expect(digest).toHaveLength(32);
    expect(recoveryCodeDigest(` ${code.toUpperCase().replaceAll("-", " ")} `)).toEqual(digest);
    expect(recoveryCodeDigest(code.replaceAll("0", "o").replaceAll("1", "l"))).toEqual(digest);
  });

  it("rejects malformed codes", () => {
    for (const text of ["", "123456", "u".repeat(16), "0".repeat(17), "é".repeat(16)])
      expect(recoveryCodeDigest(text)).toBeNull();
  });
});

describe("generateRecoveryCode", () => {
  it("generates different codes", () => {
    const codes = Array.from({ length: 1000 }, () => generateRecoveryCode(systemRandom));
    expect(new Set(codes).size).toBe(1000);
  });
});
