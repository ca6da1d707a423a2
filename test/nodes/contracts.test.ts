import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { compileContracts } from "../../scripts/compile-contracts.ts";

test("the checked-in contracts are what their sources compile to", async () => {
  const compiled = await compileContracts();
  expect(compiled.length).toBe(3);
  for (const { url, text } of compiled) expect(await readFile(url, "utf8")).toBe(text);
});
