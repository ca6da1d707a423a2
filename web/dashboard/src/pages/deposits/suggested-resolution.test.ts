import { expect, it } from "vitest";
import { suggestedResolution } from "./suggested-resolution.ts";

it.each([
  ["40.00", "60.00", "partial"],
  ["40.00", "40.01", "partial"],
  ["9.5", "10", "partial"],
  ["40.00", "40", "accept"],
  ["40.00", "30.00", "accept"],
  [null, "60.00", null],
] as const)("for %s requested and %s received suggests %s", (requested, paid, resolution) => {
  expect(suggestedResolution(requested, paid)).toBe(resolution);
});
