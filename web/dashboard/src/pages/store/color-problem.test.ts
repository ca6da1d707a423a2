import { describe, expect, it } from "vitest";
import { colorProblem } from "./color-problem.ts";

/* The note at a color that payers could not read: where it is hard to read, how hard, and the color to take instead. */

describe("the note at a color", () => {
  it("names the background on which the color is the hardest to read", () => {
    expect(colorProblem("#FFD400", "accent_color")).toMatch(
      /^The contrast of #ffd400 with the light background #eef2f1 \(links below the card\) is 1\.2:1\. Text needs at least 4\.5:1\./,
    );
    expect(colorProblem("#0b2b6d", "accent_color_dark")).toMatch(
      /^The contrast of #0b2b6d with the dark background #1f292b \(links in the list of payments\) is 1\.1:1\./,
    );
  });

  it("names a color that is readable", () => {
    for (const name of ["accent_color", "accent_color_dark"] as const) {
      const [, nearest = ""] =
        / is (#[0-9a-f]{6})\.$/.exec(colorProblem("#808080", name) ?? "") ?? [];
      expect(nearest).not.toBe("");
      expect(colorProblem(nearest, name)).toBeNull();
    }
  });

  it("does not appear for a readable color, and while a color is being typed", () => {
    for (const text of ["", "#7a0b4b", "#7a0b4", "red"])
      expect(colorProblem(text, "accent_color")).toBeNull();
  });
});
