import {
  copyFile,
  mkdtemp,
  open as openFile,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openIssueJournal } from "./issue-journal.ts";
import { openJournalCopy } from "./journal-copy.ts";
import { JournalDamaged, keyedSeal, openSealedLines } from "./sealed-lines.ts";

const key = new Uint8Array(32).fill(3);
const range = (first: number) => ({ keyspace: "evm", addressType: "", first, last: first });
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-journal-copy-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const paths = (name: string) => [join(folder, name), join(folder, `${name}.copy`)] as const;

describe("a journal's copy", () => {
  it("copies a line before it is acknowledged, and completes an older copy at the start", async () => {
    const [path, copy] = paths("kept");
    const journal = await openIssueJournal(path, key, copy);
    await journal.record(range(1));
    expect(await readFile(copy)).toEqual(await readFile(path));
    await journal.record(range(2));
    await journal.close();
    await truncate(copy, 40);
    await (await openIssueJournal(path, key, copy)).close();
    expect(await readFile(copy)).toEqual(await readFile(path));
  });

  it("refuses a journal that holds less than its copy, or other lines", async () => {
    const [path, copy] = paths("refused");
    const journal = await openIssueJournal(path, key, copy);
    await journal.record(range(1));
    await copyFile(path, `${path}.old`);
    await journal.record(range(2));
    await journal.close();
    await copyFile(`${path}.old`, path);
    await expect(openIssueJournal(path, key, copy)).rejects.toThrow("from an older backup");
    await writeFile(copy, "another file");
    await expect(openIssueJournal(path, key, copy)).rejects.toThrow(JournalDamaged);
    await copyFile(`${path}.old`, copy);
    await (await openIssueJournal(path, key, copy)).close();
  });

  it.each([
    ["a part", (line: string) => line.slice(0, 20)],
    ["all but its line break", (line: string) => line.slice(0, -1)],
    ["zeroes and its end", (line: string) => "\0".repeat(20) + line.slice(20)],
  ])("restores a journal whose last line reached only the copy, as %s", async (kind, tear) => {
    const [path, copy] = paths(`restored ${kind}`);
    const journal = await openIssueJournal(path, key, copy);
    await journal.record(range(1));
    const acknowledged = await readFile(path, "utf8");
    await journal.record(range(2));
    await journal.close();
    const last = (await readFile(path, "utf8")).slice(acknowledged.length);
    await writeFile(copy, acknowledged + tear(last));
    await copyFile(copy, path);
    const restored = await openIssueJournal(path, key, copy);
    expect(await readFile(copy, "utf8")).toBe(acknowledged);
    expect(restored.highest("evm", "")).toBe(1);
    await restored.record(range(2));
    await restored.close();
    expect(await readFile(copy)).toEqual(await readFile(path));
  });

  it("keeps a copy that has whole lines before a torn one which the journal lacks", async () => {
    const [path, copy] = paths("older");
    const journal = await openIssueJournal(path, key, copy);
    await copyFile(path, `${path}.old`);
    await journal.record(range(1));
    await journal.close();
    const longer = `${await readFile(path, "utf8")}torn`;
    await copyFile(`${path}.old`, path);
    await writeFile(copy, longer);
    await expect(openIssueJournal(path, key, copy)).rejects.toThrow("from an older backup");
    expect(await readFile(copy, "utf8")).toBe(longer);
  });

  it("completes a copy of megabytes that a power failure left with zeroes at its end", async () => {
    const [path, copyPath] = paths("zeroes");
    const format = { path, copyPath, header: "long lines", seal: keyedSeal(key), stranger: "" };
    const open = () => openSealedLines(format, () => undefined);
    const lines = await open();
    for (let count = 0; count < 5; count += 1) await lines.append("x".repeat(500_000));
    await lines.close();
    const whole = await readFile(path);
    for (const length of [100, 1024 * 1024, 1024 * 1024 + 1, whole.length - 1]) {
      const zeroes = Buffer.alloc(whole.length - length);
      await writeFile(copyPath, Buffer.concat([whole.subarray(0, length), zeroes]));
      await (await open()).close();
      expect((await readFile(copyPath)).equals(whole)).toBe(true);
    }
    await writeFile(copyPath, whole.subarray(0, 1024 * 1024 + 100));
    await (await open()).close();
    expect((await readFile(copyPath)).equals(whole)).toBe(true);
    await writeFile(copyPath, Buffer.from(whole).fill(0, 100, 200));
    await (await open()).close();
    expect((await readFile(copyPath)).equals(whole)).toBe(true);
    const altered = Buffer.from(whole);
    altered.fill(1, 100, 200);
    await writeFile(copyPath, altered);
    await expect(open()).rejects.toThrow("is not a copy");
  });

  it("completes a copy in which zeroes stand before a part that reached the disk", async () => {
    const [path, copy] = paths("holes");
    const journal = await openIssueJournal(path, key, copy);
    await journal.record(range(1));
    await journal.record(range(2));
    await journal.close();
    const whole = await readFile(path);
    const holed = Buffer.from(whole).fill(0, whole.length - 90, whole.length - 40);
    await writeFile(copy, holed);
    await (await openIssueJournal(path, key, copy)).close();
    expect(await readFile(copy)).toEqual(whole);
    holed[whole.length - 20] = 1;
    await writeFile(copy, holed);
    await expect(openIssueJournal(path, key, copy)).rejects.toThrow("is not a copy");
  });

  it("writes nothing to a copy that lacks nothing", async () => {
    const [path, copy] = paths("whole");
    const open = async () => {
      const journal = await openIssueJournal(path, key, copy);
      await journal.close();
    };
    await open();
    await utimes(copy, 1, 1);
    await open();
    expect((await stat(copy)).mtimeMs).toBe(1_000);
    await truncate(copy, 40);
    await open();
    expect((await stat(copy)).mtimeMs).toBeGreaterThan(1_000);
  });

  it("copies the valid lines only", async () => {
    const [path, copyPath] = paths("torn");
    await writeFile(path, "valid lines torn");
    const file = await openFile(path, "r");
    const copy = await openJournalCopy({ path, file, length: 11 }, copyPath);
    expect(await readFile(copyPath, "utf8")).toBe("valid lines");
    await copy.close();
    await writeFile(copyPath, "valid");
    await (await openJournalCopy({ path, file, length: 11 }, copyPath)).close();
    expect(await readFile(copyPath, "utf8")).toBe("valid lines");
    await file.close();
  });
});
