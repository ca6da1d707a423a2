import { describe, expect, it } from "vitest";
import { searchFilter } from "./search-filter.ts";

describe("searchFilter", () => {
  it.each([
    ["17", { id: "17" }],
    ["#17", { id: "17" }],
    ["Chairs", { label: "Chairs" }],
    [
      "0x8ba1f109551bD432803012645Ac136ddd64DBA72",
      { address: "0x8ba1f109551bD432803012645Ac136ddd64DBA72" },
    ],
    [
      "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
      { address: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080" },
    ],
  ])("filters %s by its form", (text, filter) => {
    expect(searchFilter(text)).toEqual(filter);
  });
});
