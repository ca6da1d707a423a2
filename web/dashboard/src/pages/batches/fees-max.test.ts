import { describe, expect, it } from "vitest";
import { feesMaxOf } from "./fees-max.ts";

describe("feesMaxOf", () => {
  it.each([
    ["0.000400", "0.000500"],
    ["0.000000", "0.000000"],
    ["8", "10"],
  ])("accepts a quarter more than %s", (fees, most) => {
    expect(feesMaxOf(fees)).toBe(most);
  });
});
