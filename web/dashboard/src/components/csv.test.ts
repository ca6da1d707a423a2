import { expect, test } from "vitest";
import { csvLine } from "./csv.ts";

test("cells are quoted where they have to be", () => {
  expect(csvLine(["1", 'a "b"', "c,d", "e\nf", ""])).toBe('1,"a ""b""","c,d","e\nf",\r\n');
});

test("what a spreadsheet would run is written as text, and numbers stay numbers", () => {
  expect(csvLine(["=1+1", "+49 30", "-2.50", "-cmd", "@SUM(A1)", "\tx"])).toBe(
    "'=1+1,'+49 30,-2.50,'-cmd,'@SUM(A1),'\tx\r\n",
  );
});
