import { expect, it } from "vitest";
import { outOfTime } from "./time-budget.ts";

const minutes = (count: number): number => count * 60_000;
const started = { SLUICE_TESTS_STARTED_AT: String(minutes(1_000)) };

it("lets CI begin browser files for 65 minutes", () => {
  const ci = { ...started, CI: "true" };
  expect(outOfTime(ci, minutes(1_065) - 1)).toBeNull();
  expect(outOfTime(ci, minutes(1_065))).toContain("the run has taken 65 minutes");
});

it("never skips a browser file outside of CI, nor where the start is unknown", () => {
  expect(outOfTime(started, minutes(2_000))).toBeNull();
  expect(outOfTime({ CI: "true" }, minutes(2_000))).toBeNull();
});
