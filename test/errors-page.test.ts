import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorsPage, errorsPagePath } from "../scripts/generate-errors-page.ts";

test("docs/errors.md is what the error table says (else: node scripts/generate-errors-page.ts)", () => {
  expect(readFileSync(errorsPagePath, "utf8")).toBe(errorsPage());
});
