import { describe, expect, it } from "vitest";
import { groupFaults, rowRanges } from "./group-faults.ts";

const missing = "Recipient details are required.";
const fault = (row: number, column: string | null, detail: string) => ({ row, column, detail });

describe("groupFaults", () => {
  it("shows one problem of many rows once", () => {
    const rows = Array.from({ length: 50 }, (_, index) => index + 2);
    const faults = rows.map((row) => fault(row, "first_name", missing));
    expect(groupFaults(faults)).toEqual([{ rows, column: "first_name", detail: missing }]);
  });

  it("keeps problems of other columns and other texts apart, in the order of the file", () => {
    const faults = [
      fault(2, "address", "Enter the address."),
      fault(2, "first_name", missing),
      fault(3, "first_name", missing),
      fault(4, null, missing),
      fault(5, "address", "Enter the address."),
      fault(5, "address", "Enter the address."),
    ];
    expect(groupFaults(faults)).toEqual([
      { rows: [2, 5], column: "address", detail: "Enter the address." },
      { rows: [2, 3], column: "first_name", detail: missing },
      { rows: [4], column: null, detail: missing },
    ]);
  });
});

describe("rowRanges", () => {
  it.each([
    [[], ""],
    [[7], "7"],
    [[2, 3], "2, 3"],
    [[2, 3, 4], "2–4"],
    [[1, 3, 4, 5, 9, 10], "1, 3–5, 9, 10"],
  ])("writes %j as %j", (rows, text) => {
    expect(rowRanges(rows)).toBe(text);
  });
});
