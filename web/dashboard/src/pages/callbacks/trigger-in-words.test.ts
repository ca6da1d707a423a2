import { expect, test } from "vitest";
import { triggerInWords } from "./trigger-in-words.ts";

test.each([
  ["status", "Status changed"],
  ["reversed", "Undone by a re-org"],
  ["confirmed", "Confirmed"],
  ["not_known_here", "Not known here"],
])("%s is told as %s", (trigger, words) => {
  expect(triggerInWords(trigger)).toBe(words);
});
