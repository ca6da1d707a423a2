import { afterAll, describe, expect, it } from "vitest";
import {
  createPowerLossDisk,
  type PowerLossDisk,
  replaceFileSystem,
} from "../../../test/support/power-loss-disk.ts";
import { seededFractions } from "../../../test/support/seeded.ts";
import { payoutOf } from "../../../test/support/signer-site.ts";
import type { SignedSpend } from "../intent.ts";
import { openAuditLog } from "./audit-log.ts";
import { openMarkFile } from "./database-mark.ts";
import { openIssueJournal } from "./issue-journal.ts";
import { openSpendJournal } from "./spend-journal.ts";

let disk: PowerLossDisk;
const replaced = replaceFileSystem(() => disk, ["/disk/", "/other-disk/"]);
afterAll(replaced.restore);

const key = new Uint8Array(32).fill(3);
const path = "/disk/record";
const copyPath = "/other-disk/record";

/** A record to which the numbers 1, 2, 3 and so on are added. */
type NumberedRecord = {
  readonly highest: number;
  readonly add: (number: number) => Promise<unknown>;
};

function spendOf(number: number): Omit<SignedSpend, "sequence"> {
  const spend = { spendId: String(number), chain: "BTC", kind: "payout" } as const;
  const payouts = [{ ...payoutOf(`p${number}`), approval: "" }];
  return {
    ...spend,
    payoutIds: [`p${number}`],
    claims: [`${number}:0`],
    txid: number.toString(16).padStart(64, "0"),
    raw: "ab",
    body: {},
    feeUnits: "10",
    intent: { ...spend, feeCeiling: "10", payouts },
    signedAt: "2026-01-02T03:04:05.678901Z",
  };
}

async function openSpends(at: string, copyAt: string | null): Promise<NumberedRecord> {
  const journal = await openSpendJournal(at, key, () => undefined, copyAt);
  const { newest } = journal;
  return { highest: newest(), add: (number) => journal.record(spendOf(number)) };
}

async function openIssued(at: string, copyAt: string | null): Promise<NumberedRecord> {
  const kind = { keyspace: "evm", addressType: "" };
  const journal = await openIssueJournal(at, key, copyAt);
  const add = (number: number) => journal.record({ ...kind, first: number, last: number });
  return { highest: journal.highest(kind.keyspace, kind.addressType) ?? 0, add };
}

async function openAudit(): Promise<NumberedRecord> {
  const log = await openAuditLog(path);
  const request = { time: "", kind: null, chain: null, spendId: null, payoutIds: [] };
  const add = (sequence: number) =>
    log.append({ ...request, outcome: "signed", reason: null, txid: null, sequence });
  return { highest: log.newestSigned(), add };
}

async function openMark(): Promise<NumberedRecord> {
  const mark = await openMarkFile(path, key);
  const add = (number: number) => mark.move({ generation: 1, numbers: { spends: String(number) } });
  return { highest: Number(mark.read()?.numbers["spends"] ?? 0), add };
}

type Life = { readonly end: number; readonly losesPower: boolean };

/** The highest number that was acknowledged, by `add` or by a start that found it. */
async function live(
  open: () => Promise<NumberedRecord>,
  lives: readonly Life[],
  draw: () => number,
) {
  let acknowledged = 0;
  let hasEnded = false;
  for (const { end, losesPower } of lives) {
    disk.startProcess(end);
    hasEnded = await endsWhile(async () => {
      const record = await open();
      expect(record.highest).toBeGreaterThanOrEqual(acknowledged);
      acknowledged = record.highest;
      for (let count = 0; count < 2; count += 1) {
        await record.add(acknowledged + 1);
        acknowledged += 1;
      }
    });
    if (losesPower) disk.losePower(draw);
  }
  disk.startProcess(null);
  return { acknowledged, hasEnded };
}

async function endsWhile(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return false;
  } catch (error) {
    if (!disk.hasEnded()) throw error;
    return true;
  }
}

/**
 * A first process that is killed or loses power during any of its operations, and a second one that loses power during any of
 * its own.
 */
async function eachHistory(
  open: () => Promise<NumberedRecord>,
  check: (acknowledged: number) => Promise<void>,
): Promise<number> {
  let histories = 0;
  const run = async (lives: readonly Life[]): Promise<boolean> => {
    histories += 1;
    const draw = seededFractions(histories);
    disk = createPowerLossDisk(draw);
    const { acknowledged, hasEnded } = await live(open, lives, draw);
    await check(acknowledged);
    return hasEnded;
  };
  for (const losesPower of [false, true]) {
    for (let first = 1; await run([{ end: first, losesPower }]); first += 1) {
      const before = { end: first, losesPower };
      for (let second = 1; await run([before, { end: second, losesPower: true }]); second += 1);
    }
  }
  return histories;
}

describe.each([
  ["journal of signed spends", () => openSpends(path, copyPath)],
  ["journal of issued addresses", () => openIssued(path, copyPath)],
  ["audit log", openAudit],
  ["database mark", openMark],
])("the %s", (_, open) => {
  it("is on the disk before it is acknowledged", async () => {
    disk = createPowerLossDisk(() => 0);
    const record = await open();
    await record.add(1);
    // Nothing survives but what was synced.
    disk.losePower(() => 0);
    expect((await open()).highest).toBe(1);
  });

  it("keeps what it acknowledged and opens without a repair after any power failures", async () => {
    const histories = await eachHistory(open, async (acknowledged) => {
      const { highest } = await open();
      expect([acknowledged, acknowledged + 1]).toContain(highest);
    });
    expect(histories).toBeGreaterThan(200);
  });
});

describe.each([
  ["signed spends", openSpends],
  ["issued addresses", openIssued],
])("the copy of the journal of %s", (_, open) => {
  it("holds what the journal acknowledged when the journal's disk fails as well", async () => {
    await eachHistory(
      () => open(path, copyPath),
      async (acknowledged) => {
        if (acknowledged === 0) return;
        disk.loseFile(path);
        const { highest } = await open(copyPath, null);
        expect([acknowledged, acknowledged + 1]).toContain(highest);
      },
    );
  });
});
