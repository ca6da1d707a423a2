import { describe, expect, it } from "vitest";
import { bucketStarts, durationText, sumByBucket, sumOf } from "./buckets.ts";

const now = Date.parse("2026-03-04T10:11:12Z");

describe("bucketStarts", () => {
  it("returns days or weeks from Monday that end with the current one", () => {
    const days = bucketStarts("7", now);
    expect([days.length, days[0], days.at(-1)]).toEqual([
      7,
      "2026-02-26T00:00:00.000000Z",
      "2026-03-04T00:00:00.000000Z",
    ]);
    const weeks = bucketStarts("365", now);
    expect([weeks.length, weeks.at(-1)]).toEqual([53, "2026-03-02T00:00:00.000000Z"]);
  });
});

describe("sumByBucket and sumOf", () => {
  it("sum priced amounts exactly and ignore unpriced ones", () => {
    const starts = bucketStarts("7", now);
    const start = starts[6]!;
    const series = [
      { buckets: [{ start, fiat_amount: "0.10" }] },
      { buckets: [{ start, fiat_amount: "0.20" }] },
      { buckets: [{ start, fiat_amount: null }] },
      { buckets: [{ start: "2020-01-01T00:00:00.000000Z", fiat_amount: "9.00" }] },
    ];
    expect(sumByBucket(starts, series)).toEqual([...Array<string>(6).fill("0.00"), "0.30"]);
    expect(sumOf(["1.10", null, "2.05"])).toBe("3.15");
  });
});

describe("durationText", () => {
  it.each([
    [null, "–"],
    [0.1234, "123 ms"],
    [1.5, "1.5 s"],
    [3, "3 s"],
    [42.4, "42 s"],
    [600, "10 min"],
    [90_000, "25 h"],
  ])("formats %s seconds as %s", (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});
