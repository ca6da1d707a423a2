import { describe, expect, it } from "vitest";
import { searchFilter } from "./search-filter.ts";

const address = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const bech32 = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
const long = "Invoice ".repeat(10);
const tooLong = "Invoice ".repeat(20);

describe("searchFilter", () => {
  it.each([
    ["#17", [{ id: "17" }]],
    ["17", [{ id: "17" }, { tracking_id: "17" }, { label: "17" }]],
    ["A-1001", [{ tracking_id: "A-1001" }, { label: "A-1001" }]],
    ["Chairs", [{ label: "Chairs" }, { tracking_id: "Chairs" }]],
    [address, [{ address }, { tracking_id: address }]],
    [bech32, [{ address: bech32 }, { tracking_id: bech32 }]],
    [long, [{ tracking_id: long }]],
    [tooLong, [{ label: tooLong }]],
  ])("filters %s by its form", (text, filters) => {
    expect(searchFilter(text)).toEqual(filters);
  });
});
