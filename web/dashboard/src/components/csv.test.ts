import { describe, expect, it } from "vitest";
import { csvLine } from "./csv.ts";

describe("csvLine", () => {
  it("quotes cells with quotes, commas or line breaks", () => {
    expect(csvLine(["1", 'a "b"', "c,d", "e\nf", ""])).toBe('1,"a ""b""","c,d","e\nf",\r\n');
  });

  it("escapes formulas and leaves numbers unchanged", () => {
    expect(csvLine(["=1+1", "+49 30", "-2.50", "-cmd", "@SUM(A1)", "\tx"])).toBe(
      "'=1+1,'+49 30,-2.50,'-cmd,'@SUM(A1),'\tx\r\n",
    );
  });
});
