import { describe, expect, it } from "vitest";
import { attemptText } from "./attempt-text.ts";

describe("attemptText", () => {
  it.each([
    [200, null, "Delivered (200)"],
    [503, null, "HTTP 503"],
    [null, "timed_out", "Timed out"],
    [null, "something_new", "something_new"],
    [null, null, "No response"],
  ])("describes status %s and error %s as %j", (code, error, text) => {
    expect(attemptText(code, error)).toBe(text);
  });
});
