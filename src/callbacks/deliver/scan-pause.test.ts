import { expect, test } from "vitest";
import { scanPauseMs } from "./dispatch-callbacks.ts";

test("looking for due callbacks takes a fifth of the time, and one look that hung delays the next by seconds only", () => {
  expect(scanPauseMs(0, 100)).toBe(90);
  expect(scanPauseMs(50, 100)).toBe(200);
  expect(scanPauseMs(30_000, 100)).toBe(5_000);
});
