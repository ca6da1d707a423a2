import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errorsPage, errorsPagePath } from "../scripts/generate-errors-page.ts";

describe("docs/errors.md", () => {
  it("is what `npm run generate` writes", () => {
    expect(readFileSync(errorsPagePath, "utf8")).toBe(errorsPage());
  });
});
