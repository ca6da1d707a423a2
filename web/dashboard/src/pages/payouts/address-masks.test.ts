import { describe, expect, it } from "vitest";
import { currenciesOfAddress, looksLikeAddress } from "./address-masks.ts";

const masks = {
  1002: [{ mask: ["^0x[0-9a-fA-F]{40}$"] }],
  1000: [{ mask: ["^bc1q[a-z0-9]+$"] }, { mask: ["^1[A-Za-z0-9]+$", "^3[A-Za-z0-9]+$"] }],
  1007: [{ mask: null }],
};

describe("looksLikeAddress", () => {
  it.each([
    ["1002", `0x${"a".repeat(40)}`, true],
    ["1002", "bc1qabc", false],
    ["1000", "bc1qabc", true],
    ["1000", "3abc", true],
    ["1000", "0xabc", false],
    ["1007", "anything", true],
    ["9999", "anything", true],
  ])("checks for currency %s whether %s matches its masks: %s", (currency, text, expected) => {
    expect(looksLikeAddress(masks, currency, text)).toBe(expected);
  });
});

describe("currenciesOfAddress", () => {
  const known = [{ id: "1000" }, { id: "1002" }];
  it.each([
    [`0x${"a".repeat(40)}`, ["1002"]],
    ["bc1qabc", ["1000"]],
    ["0xabc", ["1000", "1002"]],
    ["", ["1000", "1002"]],
  ])("narrows the choice for %j to %j", (address, expected) => {
    expect(currenciesOfAddress(masks, known, address).map(({ id }) => id)).toEqual(expected);
  });
});
