import { expect, it } from "vitest";
import { holdCause, messageText } from "./message-text.ts";

it.each([
  ["On hold: paid late", "paid late"],
  ["On hold: second payment", "second payment"],
  ["On hold: constructor", null],
  ["On hold", null],
  ["Refunded by payout 7", null],
  [null, null],
] as const)("of %o the cause is %o", (message, cause) => {
  expect(holdCause(message)).toBe(cause);
});

it.each(["On hold: overpaid", "Refunded by payout 7", "On hold: something new"])(
  "%o reads the same in English",
  (message) => {
    expect(messageText(message)).toBe(message);
  },
);
