import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import type { Instant } from "../kernel/clock.ts";
import { formatTimestamp, parseTimestamp } from "../kernel/timestamp.ts";
import { readTimestamp, readWholeNumber } from "./read-values.ts";

describe("reading values", () => {
  it("parses timestamps in UTC like the general parser", () => {
    const latest = Date.UTC(2200, 0, 1) * 1000;
    fc.assert(
      fc.property(fc.integer({ min: -latest, max: latest }), fc.nat(6), (at, dropped) => {
        const written = formatTimestamp(at as Instant)
          .replace("T", " ")
          .replace("Z", "");
        const short =
          dropped === 6 ? written.slice(0, 19) : written.slice(0, written.length - dropped);
        const text = `${short}+00`;
        expect(readTimestamp(text), text).toBe(parseTimestamp(text));
      }),
    );
  });

  it.each([
    ["2026-02-03 04:05:06.789012+00", 1_770_091_506_789_012],
    ["2026-02-03 04:05:06+00", 1_770_091_506_000_000],
    ["2026-02-03 04:05:06.5+00", 1_770_091_506_500_000],
    ["2026-02-03 09:35:06+05:30", 1_770_091_506_000_000],
  ])("parses %s", (text, micros) => {
    expect(readTimestamp(text)).toBe(micros);
  });

  it("treats an invalid timestamp as a bug", () => {
    expect(() => readTimestamp("infinity")).toThrow("timestamptz infinity");
  });

  it("parses whole numbers of any size", () => {
    expect(["0", "-1", "123456789012345678901234567890"].map(readWholeNumber)).toEqual([
      0n,
      -1n,
      123456789012345678901234567890n,
    ]);
  });
});
