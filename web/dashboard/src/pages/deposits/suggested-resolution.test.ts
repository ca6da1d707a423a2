import { expect, it } from "vitest";
import { suggestedResolution } from "./suggested-resolution.ts";

it.each([
  ["60.00", "40.00", null, "partial"],
  ["40.01", "40.00", null, "partial"],
  ["10", "9.5", null, "partial"],
  ["40", "40.00", null, "accept"],
  ["30.00", "40.00", null, "accept"],
  // A Paid deposit that is paid again.
  ["50.00", "0.00", null, "refund"],
  ["40.00", "0.00", null, "refund"],
  // Part was kept before.
  ["50.00", "15.00", null, "partial"],
  ["15.00", "15.00", null, "accept"],
  // The deposit was paid within its tolerance before.
  ["50.00", "0.40", "0.50", "refund"],
  ["50.00", "0.50", "0.50", "refund"],
  ["50.00", "0.51", "0.50", "partial"],
  // No amount was requested, or there is no price.
  ["60.00", null, null, null],
  [null, "40.00", null, null],
  [null, "0.00", null, "refund"],
] as const)(
  "of %s on hold with %s missing and a tolerance of %s suggests %s",
  (held, missing, tolerance, resolution) => {
    expect(suggestedResolution({ held, missing, tolerance, causes: [] })).toBe(resolution);
  },
);

it.each([
  [["second payment"], "refund"],
  [["paid late", "second payment"], "refund"],
  [["overpaid", "overpaid"], "partial"],
  [null, null],
] as const)("of a deposit on hold as %o that lacks 0.40 suggests %s", (causes, resolution) => {
  const onHold = { held: "50.00", missing: "0.40", tolerance: null };
  expect(suggestedResolution({ ...onHold, causes })).toBe(resolution);
});

it("suggests nothing where an API of the former version leaves the amounts out", () => {
  expect(suggestedResolution({ tolerance: null, causes: ["overpaid"] })).toBe(null);
});
