import { describe, expect, it } from "vitest";
import { parseJson, textOf } from "./parse-json.ts";

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

  const long = "0a1b".repeat(20_000);
  it.each([
    ["a raw block", `{"id":1,"result":"${long}"}`, { id: 1, result: long }],
    ["the whole document", `"${long}"`, long],
    ["among other answers", `[{"fee":0.10}, "${long}" ,"${long}"]`, [{ fee: "0.10" }, long, long]],
    ["with escapes", `["${long}\\n\\u0000", "\\u0000"]`, [`${long}\n\u0000`, "\u0000"]],
    ["the name of a member", `{"${long}" : 1, "b": 2}`, { [long]: 1, b: 2 }],
    ["beyond ASCII", `["ü${long}", "é"]`, [`ü${long}`, "é"]],
  ])("reads a long string: %s", (_what, text, value) => {
    expect(parseJson(textOf(Buffer.from(text)))).toEqual(value);
  });

  it("parses a long string with more beside it as usual, which refuses control characters", () => {
    const unusual = `${long}\u0001`;
    expect(parseJson(`["${unusual}", "${"ab".repeat(1_000)}"]`)).toEqual([
      unusual,
      "ab".repeat(1_000),
    ]);
    expect(() => parseJson(`["${unusual}", "${"ab".repeat(60_000)}"]`)).toThrow(SyntaxError);
  });

  it("throws for anything but JSON", () => {
    expect(() => parseJson("Work queue depth exceeded")).toThrow(SyntaxError);
    expect(() => parseJson("")).toThrow(SyntaxError);
    for (const text of [`{"result":"${long}`, `{"result":"${long}"`, `"${long}" 1`])
      expect(() => parseJson(text)).toThrow(SyntaxError);
  });
});
