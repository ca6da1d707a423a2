import { expect, test } from "vitest";
import { escapeAnswer } from "./escape-answer.ts";

// Shows that an answer's bytes, whatever they are, become text that does nothing to whoever reads it.

test.each([
  ["plain <b>text</b> & größer €", "plain <b>text</b> & größer €"],
  ["two\nlines\tand a tab", "two\nlines\tand a tab"],
  ["\u001b[31mred\u0000\r", "\\u{1b}[31mred\\u{0}\\u{d}"],
  ["right\u202eto left\u200b", "right\\u{202e}to left\\u{200b}"],
  ["C:\\u{1b}", "C:\\\\u{1b}"],
])("%j reads %j", (given, expected) => {
  expect(escapeAnswer(Buffer.from(given))).toBe(expected);
});

test("bytes that are no UTF-8, and a character cut in two, are replaced", () => {
  expect(escapeAnswer(Uint8Array.of(0x61, 0xff, 0xc3))).toBe("a\ufffd\ufffd");
});
