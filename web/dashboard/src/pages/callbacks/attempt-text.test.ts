import { expect, test } from "vitest";
import { attemptText } from "./attempt-text.ts";

test.each([
  [200, null, "200, delivered"],
  [503, null, "Answered 503"],
  [null, "timed_out", "Took too long"],
  [null, "something_new", "something_new"],
  [null, null, "No answer"],
])("%s %s: %s", (code, error, text) => {
  expect(attemptText(code, error)).toBe(text);
});
