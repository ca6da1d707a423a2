/*
 * A signer computes the same totals whether it signed the spends itself or read them from its journal, wherever it was killed:
 * within a line, or long after a spend's earlier attempts were signed.
 */
import { copyFile, mkdtemp, readFile, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { present } from "../../platform/kernel/assert.ts";
import { addSeconds, type Instant, instantFromSeconds } from "../../platform/kernel/clock.ts";
import { formatTimestamp, parseTimestamp } from "../../platform/kernel/timestamp.ts";
import type { SignedSpend } from "../intent.ts";
import { openSpendJournal, type SpendJournal } from "./spend-journal.ts";
import { createSpendTotals, type SpendTotals } from "./spend-totals.ts";

const key = new Uint8Array(32).fill(3);
const start = instantFromSeconds(1_800_000_000);
let folder = "";
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-totals-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Signed = {
  readonly chain: string;
  readonly kind: "gap" | "consolidation";
  readonly spendId: string;
  readonly fee: number;
  readonly at: Instant;
};

/** Few spends, so that most have several attempts, often days apart. */
const signed: fc.Arbitrary<readonly Signed[]> = fc
  .array(
    fc.record({
      chain: fc.constantFrom("ETH", "BTC"),
      kind: fc.constantFrom("gap", "consolidation"),
      spendId: fc.constantFrom("1", "2", "3"),
      fee: fc.integer({ min: 0, max: 50 }),
      hoursLater: fc.integer({ min: 0, max: 60 }),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((all) => {
    let at = start;
    return all.map(({ hoursLater, ...spend }) => {
      at = addSeconds(at, hoursLater * 3_600);
      return { ...spend, at };
    });
  });

function spendOf({ chain, kind, spendId, fee, at }: Signed): Omit<SignedSpend, "sequence"> {
  return {
    spendId,
    chain,
    kind,
    payoutIds: [],
    claims: ["0xab:7"],
    txid: "00".repeat(32),
    raw: "",
    body: {},
    feeUnits: String(fee),
    intent: { kind: "gap", spendId, chain, feeCeiling: "50" },
    signedAt: formatTimestamp(at),
  };
}

async function open(path: string): Promise<{ journal: SpendJournal; totals: SpendTotals }> {
  const totals = createSpendTotals();
  const journal = await openSpendJournal(path, key, (spend, firstPayouts, addedFee) => {
    totals.add(spend, firstPayouts, addedFee, present(parseTimestamp(spend.signedAt), "a time"));
  });
  return { journal, totals };
}

/**
 * Fees of the day before the last of them, from everything ever signed: a spend's attempts count as the most expensive one, at
 * the time it was signed.
 */
function feesOfDay(all: readonly Signed[], chain: string, since: Instant): bigint {
  const dearest = new Map<string, number>();
  let sum = 0;
  for (const one of all) {
    const name = `${one.chain} ${one.kind} ${one.spendId}`;
    const known = dearest.get(name) ?? 0;
    dearest.set(name, Math.max(known, one.fee));
    if (one.chain === chain && one.at > since) sum += Math.max(0, one.fee - known);
  }
  return BigInt(sum);
}

function expectTotals(totals: SpendTotals, all: readonly Signed[]): void {
  const last = all.at(-1)?.at ?? start;
  for (const chain of ["ETH", "BTC"])
    for (const hours of [1, 24, 47]) {
      const since = addSeconds(last, -hours * 3_600);
      expect(totals.feesSince(chain, since)).toBe(feesOfDay(all, chain, since));
    }
}

describe("the totals of signed spends", () => {
  it("sums the same fees of a day without a stop and after being killed within any line", async () => {
    await fc.assert(
      fc.asyncProperty(signed, fc.double({ min: 0, max: 1, noNaN: true }), async (all, cut) => {
        files += 1;
        const path = join(folder, `${files}.journal`);
        const { journal, totals } = await open(path);
        const ends: number[] = [];
        for (const [index, one] of all.entries()) {
          await journal.record(spendOf(one));
          expectTotals(totals, all.slice(0, index + 1));
          ends.push((await readFile(path)).length);
        }
        await journal.close();

        // Killed while it wrote the last line: some bytes of it are on the disk, none, or all.
        const killed = `${path}.killed`;
        await copyFile(path, killed);
        const before = ends.at(-2) ?? (await firstLine(path));
        const end = present(ends.at(-1), "where the last line ends");
        const length = before + Math.round((end - before) * cut);
        await truncate(killed, length);
        const again = await open(killed);
        expect(again.journal.newest()).toBe(length === end ? all.length : all.length - 1);
        expectTotals(again.totals, all.slice(0, again.journal.newest()));

        // It gets the same request again and continues.
        const last = present(all.at(-1), "the last spend");
        if (again.journal.newest() < all.length) await again.journal.record(spendOf(last));
        const dearer = { ...last, fee: last.fee + 7, at: addSeconds(last.at, 3 * 86_400) };
        await again.journal.record(spendOf(dearer));
        expectTotals(again.totals, [...all, dearer]);
        await again.journal.close();
      }),
      { numRuns: 40 },
    );
  });

  it("forgets what is older than two days once there are more than 4,096 spends", () => {
    const totals = createSpendTotals();
    const gap = { kind: "gap", spendId: "1", chain: "ETH", feeCeiling: "1" } as const;
    const add = (seconds: number) => {
      const at = addSeconds(start, seconds);
      const spend = { chain: "ETH", kind: "gap", spendId: "1", fee: 1, at } as const;
      totals.add({ ...spendOf(spend), intent: gap, sequence: 1 }, [], 1n, at);
    };
    const sum = () => totals.feesSince("ETH", addSeconds(start, -1));
    const twoDays = 2 * 86_400;
    for (let count = 0; count < 4_093; count += 1) add(0);
    add(1);
    add(2);
    add(twoDays + 1);
    expect(sum()).toBe(4_096n);
    // The two of the second before last and of the last two days stay.
    add(twoDays + 1);
    expect(sum()).toBe(4n);
  });

  it("sums an asset's payouts from the journal under any currency and spelling", async () => {
    files += 1;
    const path = join(folder, `${files}.journal`);
    const before = await open(path);
    const contract = `0x${"ab".repeat(20)}`;
    const named = [
      { currency: "2014", asset: { kind: "token", locator: contract } },
      {
        currency: "1002",
        asset: { kind: "token", locator: contract.toUpperCase().replace("X", "x") },
      },
      { currency: "1002", asset: { kind: "coin" } },
    ] as const;
    for (const [index, { currency, asset }] of named.entries()) {
      const payoutId = String(index + 1);
      const receiver = { chain: "ETH", address: "0x01", tag: null, units: "100", approval: "" };
      const spend = spendOf({ chain: "ETH", kind: "gap", spendId: payoutId, fee: 1, at: start });
      await before.journal.record({
        ...spend,
        kind: "payout",
        payoutIds: [payoutId],
        intent: {
          ...spend.intent,
          kind: "payout",
          payouts: [{ ...receiver, payoutId, currency, asset }],
        },
      });
    }
    await before.journal.close();
    const { journal, totals } = await open(path);
    const since = addSeconds(start, -1);
    expect(totals.paidSince("ETH", { kind: "token", locator: contract }, since)).toBe(200n);
    expect(totals.paidSince("ETH", { kind: "coin" }, since)).toBe(100n);
    await journal.close();
  });
});

async function firstLine(path: string): Promise<number> {
  return (await readFile(path)).indexOf("\n") + 1;
}
