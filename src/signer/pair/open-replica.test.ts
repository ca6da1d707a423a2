import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openIssueJournal } from "../journal/issue-journal.ts";
import type { SealedLine } from "../journal/sealed-lines.ts";
import { openReplica, type Replica } from "./open-replica.ts";
import { findLineEnd, readLinesAfter } from "./read-lines-after.ts";

const keys = {
  journalKey: new Uint8Array(32).fill(1),
  spendJournalKey: new Uint8Array(32).fill(2),
  markKey: new Uint8Array(32).fill(3),
};
const range = { keyspace: "evm", addressType: "", first: 0, last: 9 };
let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sluice-replica-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** A journal of three ranges in a folder of its own, and its lines as they were handed to the mirror. */
async function writeJournal(): Promise<{ path: string; lines: readonly SealedLine[] }> {
  const path = join(await mkdtemp(join(home, "active-")), "issued.journal");
  const lines: SealedLine[] = [];
  const journal = await openIssueJournal(path, keys.journalKey, null, {
    write: (line) => Promise.resolve(void lines.push(line)),
  });
  for (const first of [0, 10, 20]) await journal.record({ ...range, first, last: first + 9 });
  await journal.close();
  return { path, lines };
}

async function openEmpty(): Promise<{ folder: string; replica: Replica; path: string }> {
  const folder = await mkdtemp(join(home, "standby-"));
  const replica = await openReplica({ folder, copyFolder: null, ...keys });
  return { folder, replica, path: join(folder, "issued.journal") };
}

const append = (replica: Replica, line: SealedLine | undefined): Promise<void> => {
  if (line === undefined) throw new Error("no line");
  const { body, previous, seal } = line;
  return replica.append("issued.journal", { previous, lines: [body], seal });
};

describe("a standby's replica", () => {
  it("becomes the same file, and accepts a repeated line once", async () => {
    const { path, lines } = await writeJournal();
    const { replica, path: copy } = await openEmpty();
    for (const line of lines) {
      await append(replica, line);
      await append(replica, line);
    }
    expect(await readFile(copy, "utf8")).toBe(await readFile(path, "utf8"));
    expect(replica.seals()["issued.journal"].slice(1)).toEqual(lines.map(({ seal }) => seal));
    await replica.close();
  });

  it("rejects a line that does not follow, and one with another seal", async () => {
    const { lines } = await writeJournal();
    const { replica, path } = await openEmpty();
    await expect(append(replica, lines[1])).rejects.toThrow("do not follow");
    const [first] = lines;
    if (first === undefined) throw new Error("no line");
    expect((await readFile(path, "utf8")).split("\n")).toHaveLength(2);
    await expect(append(replica, { ...first, seal: "0".repeat(64) })).rejects.toThrow(
      "sealed with other keys",
    );
    await replica.close();
  });

  it("cuts off what follows a line, keeps it, and goes on from there", async () => {
    const { path, lines } = await writeJournal();
    const { folder, replica, path: copy } = await openEmpty();
    for (const line of lines) await append(replica, line);
    const whole = await readFile(path, "utf8");
    await replica.cut("issued.journal", lines[0]?.seal ?? "");
    const kept = await readFile(copy, "utf8");
    expect(whole.startsWith(kept)).toBe(true);
    expect(await readFile(join(folder, "issued.journal.cut"), "utf8")).toBe(
      whole.slice(kept.length),
    );
    await append(replica, lines[1]);
    await expect(replica.cut("issued.journal", lines[2]?.seal ?? "")).rejects.toThrow("no recent");
    const header = replica.seals()["issued.journal"][0] ?? "";
    await replica.cut("issued.journal", header);
    expect((await readFile(copy, "utf8")).split("\n")).toHaveLength(2);
    await append(replica, lines[0]);
    await replica.close();
  });

  it("opens with the seals of its file, the header's first", async () => {
    const { lines } = await writeJournal();
    const { folder, replica } = await openEmpty();
    const [header] = replica.seals()["issued.journal"];
    for (const line of lines) await append(replica, line);
    await replica.close();
    const again = await openReplica({ folder, copyFolder: null, ...keys });
    expect(again.seals()["issued.journal"]).toEqual([header, ...lines.map(({ seal }) => seal)]);
    await again.close();
  });

  it("rejects a mark of another keystore", async () => {
    const { replica } = await openEmpty();
    await expect(
      replica.writeMark(`{"generation":1,"numbers":{}} ${"0".repeat(64)}\n`),
    ).rejects.toThrow("another keystore");
    await replica.close();
  });
});

describe("lines to send", () => {
  it("begin after the newest line that both have, and end with the last complete one", async () => {
    const { path, lines } = await writeJournal();
    const end = await findLineEnd(path, [lines[0]?.seal ?? "", lines[1]?.seal ?? ""]);
    expect(end?.seal).toBe(lines[1]?.seal);
    const read = await readLinesAfter(path, end?.offset ?? 0, 1);
    expect(read?.lines).toEqual([lines[2]?.body]);
    expect(read?.end.seal).toBe(lines[2]?.seal);
    expect(await readLinesAfter(path, read?.end.offset ?? 0, 1)).toBeNull();
    expect(await findLineEnd(path, ["f".repeat(64)])).toBeNull();
  });
});
