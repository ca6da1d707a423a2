import { describe, expect, it } from "vitest";
import { recentMonths } from "./recent-months.ts";

describe("recentMonths", () => {
  it("counts back over the turn of a year, in UTC", () => {
    const months = recentMonths(new Date("2026-01-31T23:30:00Z"), 3);
    expect(months.map(({ value }) => value)).toEqual(["2026-01", "2025-12", "2025-11"]);
  });
});
