import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFolderTokens } from "./folder-tokens.ts";

describe("the tokens of a signer's folder", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "sluice-tokens-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("accept a record without a token, and refuse one with a token of another folder", async () => {
    const tokens = await openFolderTokens(folder);
    expect(tokens.isNamed(null)).toBe(true);
    expect(tokens.isNamed("a")).toBe(false);
  });

  it("keep the former token over a restart until the next one is granted", async () => {
    const before = await openFolderTokens(folder);
    const first = await before.draw();
    await before.keep(first);
    const second = await before.draw();

    const after = await openFolderTokens(folder);
    expect(after.isNamed(first)).toBe(true);
    expect(after.isNamed(second)).toBe(true);
    const third = await after.draw();
    await after.keep(third);

    const last = await openFolderTokens(folder);
    expect([first, second, third].map(last.isNamed)).toEqual([false, false, true]);
  });

  it("draw the same token until it is kept, then another one", async () => {
    const tokens = await openFolderTokens(folder);
    const first = await tokens.draw();
    expect(await tokens.draw()).toBe(first);
    await tokens.keep(first);
    const second = await tokens.draw();
    expect(second).not.toBe(first);
    await tokens.keep(second);
    expect(tokens.isNamed(first)).toBe(false);
  });

  it("contain the newest tokens of the other signer, and no old ones", async () => {
    const tokens = await openFolderTokens(folder);
    for (let number = 1; number <= 12; number += 1) await tokens.take(`token ${number}`);
    await tokens.take("token 12");
    const again = await openFolderTokens(folder);
    expect(["token 2", "token 3", "token 12"].map(again.isNamed)).toEqual([false, true, true]);
  });
});
