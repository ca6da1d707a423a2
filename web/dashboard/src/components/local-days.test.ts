import { describe, expect, it } from "vitest";
import { localDays, type StartOfDay } from "./local-days.ts";

/** Days that begin at five in the morning of UTC. */
const newYork: StartOfDay = (year, month, day) => new Date(Date.UTC(year, month, day, 5));

describe("the days of a filter", () => {
  it("are sent as the instants at which they begin and end for the reader", () => {
    expect(
      localDays({ created_at_from: "2026-11-28", created_at_to: "2026-11-30" }, newYork),
    ).toEqual({
      created_at_from: "2026-11-28T05:00:00.000Z",
      created_at_to: "2026-12-01T04:59:59.999999Z",
    });
  });

  it("begin and end at midnight of the browser's zone", () => {
    const filter = localDays({ created_at_from: "0002-01-01", created_at_to: "2026-11-30" });
    const begin = new Date(filter["created_at_from"] ?? "");
    expect([begin.getFullYear(), begin.getHours(), begin.getMinutes()]).toEqual([2, 0, 0]);
    const end = new Date(filter["created_at_to"] ?? "");
    expect([end.getDate(), end.getHours(), end.getMilliseconds()]).toEqual([30, 23, 999]);
  });

  it("stay as they are if no timestamp expresses them", () => {
    const filter = { created_at_to: "9999-12-31", expired_at_from: "tomorrow" };
    expect(localDays(filter, newYork)).toEqual(filter);
  });

  it("leave other filters alone", () => {
    const filter = {
      month_from: "2026-01",
      label: "2026-01-01",
      created_at_to: "2026-01-01T00:00:00Z",
    };
    expect(localDays(filter, newYork)).toEqual(filter);
  });
});
