import { describe, expect, it } from "vitest";
import { parseJson } from "./parse-json.ts";

describe("parseJson", () => {
  it.each([
    [`{"value":0.1}`, { value: "0.1" }],
    [`{"value": 50.00000000}`, { value: "50.00000000" }],
    [`[1,-2,0]`, [1, -2, 0]],
    [
      `[9007199254740991,9007199254740993,-9007199254740993]`,
      [9007199254740991, "9007199254740993", "-9007199254740993"],
    ],
    [`0.30000000000000004`, "0.30000000000000004"],
    [`{"a":1E5,"b":[{"c":-0.00000001}]}`, { a: "1E5", b: [{ c: "-0.00000001" }] }],
    [
      `{"text":":0.1, 12345678901234567890","ok":true,"none":null}`,
      { text: ":0.1, 12345678901234567890", ok: true, none: null },
    ],
  ])("%s preserves every digit", (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  it("throws for anything but JSON", () => {
    expect(() => parseJson("Work queue depth exceeded")).toThrow(SyntaxError);
    expect(() => parseJson("")).toThrow(SyntaxError);
  });
});
