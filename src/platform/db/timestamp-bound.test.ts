import { expect, test } from "vitest";
import { timestampBound } from "./timestamp-bound.ts";

test("a date as upper bound covers its whole day", () => {
  expect(timestampBound("to", "2026-01-02")).toEqual({
    operator: "<",
    timestamp: "2026-01-03T00:00:00.000000Z",
  });
  expect(timestampBound("to", "2026-01-02T10:00:00.000001+02:00")).toEqual({
    operator: "<=",
    timestamp: "2026-01-02T08:00:00.000001Z",
  });
});

test("a bound that means no bound is a time that PostgreSQL reads", () => {
  const readable = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;
  const texts = ["9999-12-31", "9999-12-31T23:59:59.999999-15:59", "0100-01-01T00:00:00+14:00"];
  for (const side of ["from", "to"] as const) {
    for (const text of texts) expect(timestampBound(side, text)?.timestamp).toMatch(readable);
  }
  expect(timestampBound("to", "9999-12-31")?.timestamp.slice(0, 4)).toBe("2255");
});

test("an offset that no clock has is no time", () => {
  expect(timestampBound("from", "2026-01-01T00:00:00+99:99")).toBeNull();
  expect(timestampBound("from", "2026-01-01T00:00:00+02:60")).toBeNull();
  expect(timestampBound("from", "2026-01-01T00:00:00+14:00")).not.toBeNull();
});
