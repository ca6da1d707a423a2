import { describe, expect, it } from "vitest";
import { parseEmailAddress } from "./email-address.ts";

describe("parseEmailAddress", () => {
  it.each([
    ["ada@shop.example", "ada@shop.example"],
    ["Ada.Lovelace+orders@Shop.Example", "Ada.Lovelace+orders@shop.example"],
    ["o'hara@xn--mnchen-3ya.example", "o'hara@xn--mnchen-3ya.example"],
  ])("accepts %s", (text, parsed) => {
    expect(parseEmailAddress(text)).toBe(parsed);
  });

  it.each([
    "",
    "ada",
    "@shop.example",
    "ada@shop",
    "ada@@shop.example",
    "a b@shop.example",
    "ada@shop.example, eve@evil.example",
    "ada@shop.example\r\nBcc: eve@evil.example",
    "ada@shop.example\n",
    "ada\u0000@shop.example",
    "<ada@shop.example>",
    '"ada"@shop.example',
    ".ada@shop.example",
    "ada..l@shop.example",
    "ada@-shop.example",
    "ada@[192.0.2.1]",
    "ädä@shop.example",
    `${"a".repeat(65)}@shop.example`,
    `ada@${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.example`,
  ])("refuses %j", (text) => {
    expect(parseEmailAddress(text)).toBeNull();
  });
});
