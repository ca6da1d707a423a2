import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import {
  createPowerLossDisk,
  type PowerLossDisk,
  replaceFileSystem,
} from "../../../test/support/power-loss-disk.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { openIssueJournal } from "../journal/issue-journal.ts";
import type { SealedLine } from "../journal/sealed-lines.ts";
import { openEpochFile } from "./epoch-file.ts";
import { openFolderTokens } from "./folder-tokens.ts";
import { openReplica } from "./open-replica.ts";
import type { ReplicaAction } from "./replica-protocol.ts";
import { createStandby } from "./stand-by.ts";
import type { PairRecord, Witness } from "./witness.ts";

/* A standby whose disk gets full, with a witness that names the other signer as active. The copies are on a disk in memory. */

const key = new Uint8Array(32).fill(1);
const keys = { journalKey: key, spendJournalKey: key, markKey: key };
const copyFolder = "/copies/";
let disk: PowerLossDisk;
const replaced = replaceFileSystem(() => disk, [copyFolder]);
let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sluice-standby-"));
});
beforeEach(() => {
  disk = createPowerLossDisk(() => 0);
});
afterAll(async () => {
  replaced.restore();
  await rm(home, { recursive: true, force: true });
});

const file = "issued.journal";
const record: PairRecord = { epoch: 2, active: "a", inSync: ["a", "b"], folderToken: null };
const witness: Witness = {
  read: () => Promise.resolve({ record, revision: "1" }),
  replace: () => Promise.resolve(null),
};

async function startStandby() {
  const folder = await mkdtemp(join(home, "standby-"));
  const clock = manualClock();
  const replica = await openReplica({ folder, copyFolder, ...keys });
  const standby = createStandby({
    name: "b",
    takeoverSeconds: 5,
    witness,
    replica,
    epochs: await openEpochFile(folder),
    tokens: await openFolderTokens(folder),
    policy: "",
    clock,
    logger: silentLogger,
  });
  const ending = new AbortController();
  const untilActive = standby.untilActive(ending.signal);
  const tell = (action: ReplicaAction) =>
    standby.answer({ method: "replica", epoch: 2, from: "a", session: 1, action });
  await tell({ kind: "state" });
  return { folder, untilActive, tell, clock, replica };
}

/** Two lines of the active signer's journal, as it sends them. */
async function writeLines(): Promise<readonly ReplicaAction[]> {
  const path = join(await mkdtemp(join(home, "active-")), file);
  const lines: SealedLine[] = [];
  const write = (line: SealedLine) => Promise.resolve(void lines.push(line));
  const journal = await openIssueJournal(path, key, null, { write });
  for (const first of [0, 1])
    await journal.record({ keyspace: "evm", addressType: "", first, last: first });
  await journal.close();
  return lines.map(({ body, previous, seal }) => {
    return { kind: "append", file, previous, lines: [body], seal } as const;
  });
}

describe("a standby ends, to be started again", () => {
  it("when it cannot write a line", async () => {
    const [first, second] = await writeLines();
    const { untilActive, tell, clock, replica } = await startStandby();
    if (first === undefined || second === undefined) throw new Error("no lines");
    expect(await tell(first)).toEqual({ kind: "done" });
    disk.limit(join(copyFolder, file), 20);
    expect(await tell(second)).toMatchObject({ kind: "refused" });
    clock.advance(1);
    await expect(untilActive).rejects.toThrow("cannot be written: the disk is full");
    await replica.close();
  });

  it("when it cannot cut a file, but not when it refuses to", async () => {
    const [first] = await writeLines();
    const { folder, untilActive, tell, clock, replica } = await startStandby();
    if (first?.kind !== "append") throw new Error("no line");
    expect(await tell(first)).toEqual({ kind: "done" });
    const unknown = { kind: "cut", file, seal: "f".repeat(64) } as const;
    expect(await tell(unknown)).toMatchObject({ kind: "refused" });
    expect(await tell(first)).toEqual({ kind: "done" });
    await mkdir(join(folder, `${file}.cut`));
    expect(await tell({ kind: "cut", file, seal: first.previous })).toMatchObject({
      kind: "refused",
    });
    clock.advance(1);
    await expect(untilActive).rejects.toThrow(`${file} cannot be cut: `);
    await replica.close();
  });
});
