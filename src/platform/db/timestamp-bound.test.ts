import { describe, expect, it } from "vitest";
import { timestampBound } from "./timestamp-bound.ts";

describe("timestampBound", () => {
  it("covers the whole day of a date used as upper bound", () => {
    expect(timestampBound("to", "2026-01-02")).toEqual({
      operator: "<",
      timestamp: "2026-01-03T00:00:00.000000Z",
    });
    expect(timestampBound("to", "2026-01-02T10:00:00.000001+02:00")).toEqual({
      operator: "<=",
      timestamp: "2026-01-02T08:00:00.000001Z",
    });
  });

  it("clamps extreme bounds to timestamps that PostgreSQL can read", () => {
    const readable = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;
    const texts = ["9999-12-31", "9999-12-31T23:59:59.999999-15:59", "0100-01-01T00:00:00+14:00"];
    for (const side of ["from", "to"] as const) {
      for (const text of texts) expect(timestampBound(side, text)?.timestamp).toMatch(readable);
    }
    expect(timestampBound("to", "9999-12-31")?.timestamp.slice(0, 4)).toBe("2255");
  });

  it("rejects offsets that do not exist", () => {
    expect(timestampBound("from", "2026-01-01T00:00:00+99:99")).toBeNull();
    expect(timestampBound("from", "2026-01-01T00:00:00+02:60")).toBeNull();
    expect(timestampBound("from", "2026-01-01T00:00:00+14:00")).not.toBeNull();
  });
});
