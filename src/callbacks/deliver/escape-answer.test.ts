import { describe, expect, it } from "vitest";
import { escapeAnswer } from "./escape-answer.ts";

describe("escapeAnswer", () => {
  it.each([
    ["plain <b>text</b> & größer €", "plain <b>text</b> & größer €"],
    ["two\nlines\tand a tab", "two\nlines\tand a tab"],
    ["\u001b[31mred\u0000\r", "\\u{1b}[31mred\\u{0}\\u{d}"],
    ["right\u202eto left\u200b", "right\\u{202e}to left\\u{200b}"],
    ["C:\\u{1b}", "C:\\\\u{1b}"],
  ])("turns %j into %j", (given, expected) => {
    expect(escapeAnswer(Buffer.from(given))).toBe(expected);
  });

  it("replaces invalid UTF-8 and truncated characters", () => {
    expect(escapeAnswer(Uint8Array.of(0x61, 0xff, 0xc3))).toBe("a\ufffd\ufffd");
  });
});
