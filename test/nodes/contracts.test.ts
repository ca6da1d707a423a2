import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { compileContracts } from "../../scripts/compile-contracts.ts";

describe("contracts", () => {
  it("match what their sources compile to", async () => {
    const compiled = await compileContracts();
    expect(compiled.length).toBe(3);
    for (const { url, text } of compiled) expect(await readFile(url, "utf8")).toBe(text);
  });
});
