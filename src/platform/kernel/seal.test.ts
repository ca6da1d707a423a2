import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { InvariantViolation } from "./assert.ts";
import { createSeal } from "./seal.ts";
import { systemRandom } from "./system-random.ts";

const key = new Uint8Array(randomBytes(32));
const seal = createSeal(key, systemRandom);
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

describe("a sealed value", () => {
  it("opens under the context it was sealed for", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (plain, context) => {
        expect(seal.open(seal.seal(plain, context), context)).toEqual(plain);
      }),
    );
  });

  it("does not open under another context", () => {
    const sealed = seal.seal(text("secret"), "credential/1/callback-key");
    expect(() => seal.open(sealed, "credential/2/callback-key")).toThrow(InvariantViolation);
  });

  it("does not open with any one bit changed", () => {
    const sealed = seal.seal(text("secret"), "a");
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const altered = Uint8Array.from(sealed);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => seal.open(altered, "a"), `bit ${bit}`).toThrow(InvariantViolation);
    }
  });

  it("does not open when truncated", () => {
    const sealed = seal.seal(text("secret"), "a");
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => seal.open(sealed.subarray(0, length), "a")).toThrow(InvariantViolation);
    }
  });

  it("differs each time and does not reveal its text", () => {
    const sealed = new Set(
      Array.from({ length: 50 }, () => Buffer.from(seal.seal(text("secret"), "a")).toString("hex")),
    );
    expect(sealed.size).toBe(50);
    expect([...sealed].some((value) => value.includes(Buffer.from("secret").toString("hex")))).toBe(
      false,
    );
  });

  it("opens with an older key after a rotation, while the newer key seals", () => {
    const old = seal.seal(text("before"), "a");
    const rotated = createSeal(new Uint8Array(randomBytes(32)), systemRandom, [key]);
    expect(rotated.open(old, "a")).toEqual(text("before"));
    const fresh = rotated.seal(text("after"), "a");
    expect(rotated.open(fresh, "a")).toEqual(text("after"));
    expect(() => seal.open(fresh, "a")).toThrow(/no data key/);
  });

  it("requires a data key of 32 bytes", () => {
    expect(() => createSeal(new Uint8Array(16), systemRandom)).toThrow(InvariantViolation);
  });
});
