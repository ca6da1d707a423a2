/** What PostgreSQL prints, read by the short way, against the general reader. */
import { expect, test } from "vitest";
import { fc } from "../../../test/support/property.ts";
import type { Instant } from "../kernel/clock.ts";
import { formatTimestamp, parseTimestamp } from "../kernel/timestamp.ts";
import { readTimestamp, readWholeNumber } from "./read-values.ts";

test("a timestamp in UTC reads as by the general reader", () => {
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

test.each([
  ["2026-02-03 04:05:06.789012+00", 1_770_091_506_789_012],
  ["2026-02-03 04:05:06+00", 1_770_091_506_000_000],
  ["2026-02-03 04:05:06.5+00", 1_770_091_506_500_000],
  ["2026-02-03 09:35:06+05:30", 1_770_091_506_000_000],
])("%s", (text, micros) => {
  expect(readTimestamp(text)).toBe(micros);
});

test("what is no timestamp is a fault of ours", () => {
  expect(() => readTimestamp("infinity")).toThrow("timestamptz infinity");
});

test("numerics are whole and of any size", () => {
  expect(["0", "-1", "123456789012345678901234567890"].map(readWholeNumber)).toEqual([
    0n,
    -1n,
    123456789012345678901234567890n,
  ]);
});
