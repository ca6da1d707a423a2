import { describe, expect, it } from "vitest";
import { fc } from "../../test/support/property.ts";
import { depositTagAt, depositTagIndex, depositTagsMax, ownFundsTag } from "./deposit-tag.ts";

const index = fc.integer({ min: 0, max: depositTagsMax - 1 });
const place = fc.integer({ min: 0, max: 9 });

/** The text with the character at `at` replaced. */
const withDigit = (tag: string, at: number, digit: string): string =>
  tag.slice(0, at) + digit + tag.slice(at + 1);

describe("the tag of a deposit", () => {
  it("leads back to its index, has ten digits and fits an XRP destination tag", () => {
    fc.assert(
      fc.property(index, (number) => {
        const tag = depositTagAt(number);
        expect(tag).toMatch(/^[1-4]\d{9}$/);
        expect(Number(tag)).toBeLessThan(2 ** 32);
        expect(depositTagIndex(tag)).toBe(number);
      }),
    );
    expect([depositTagAt(0), depositTagAt(1)]).toEqual(["1000000010", "1000000027"]);
    expect(depositTagIndex(depositTagAt(depositTagsMax - 1))).toBe(depositTagsMax - 1);
  });

  it("is no deposit's with one wrong digit, at any place", () => {
    fc.assert(
      fc.property(index, (number) => {
        const tag = depositTagAt(number);
        for (let at = 0; at < tag.length; at += 1)
          for (const digit of "0123456789")
            if (digit !== tag[at]) expect(depositTagIndex(withDigit(tag, at, digit))).toBeNull();
      }),
    );
  });

  it("is no deposit's with two digits exchanged, next to each other or not", () => {
    fc.assert(
      fc.property(index, place, place, (number, one, other) => {
        const tag = depositTagAt(number);
        const [left = "", right = ""] = [tag[one], tag[other]];
        fc.pre(left !== right);
        const exchanged = withDigit(withDigit(tag, one, right), other, left);
        expect(depositTagIndex(exchanged)).toBeNull();
      }),
    );
  });

  it("is no deposit's with a digit too many or too few, with spaces, or in another spelling", () => {
    fc.assert(
      fc.property(
        index,
        place,
        fc.constantFrom(...Array.from({ length: 10 }, (_, digit) => String(digit))),
        (number, at, digit) => {
          const tag = depositTagAt(number);
          const odd = [
            tag.slice(0, at) + tag.slice(at + 1),
            tag.slice(0, at) + digit + tag.slice(at),
            `0${tag}`,
            ` ${tag}`,
            `${tag}\n`,
            `+${tag}`,
            `${tag}.0`,
          ];
          for (const text of odd) expect(depositTagIndex(text)).toBeNull();
        },
      ),
    );
  });

  it("exists for every index up to the maximum, and for no other number", () => {
    for (const number of [-1, depositTagsMax, 0.5, Number.NaN])
      expect(() => depositTagAt(number)).toThrow("an index of the");
    for (const tag of ["", "0", "999999993", String(2 ** 32), "9999999999", "abcdefghij"])
      expect(depositTagIndex(tag)).toBeNull();
  });

  it("is never the operator's, which follows the last one and has its check digit", () => {
    expect(Number(ownFundsTag)).toBe(Number(depositTagAt(depositTagsMax - 1)) + 17);
    expect(Number(ownFundsTag)).toBeLessThan(2 ** 32);
    expect(depositTagIndex(ownFundsTag)).toBeNull();
  });
});
