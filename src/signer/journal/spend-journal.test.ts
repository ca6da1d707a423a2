import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { payoutOf } from "../../../test/support/signer-site.ts";
import type { SignedSpend, SpendIntent } from "../intent.ts";
import { JournalDamaged, keyedSeal } from "./sealed-lines.ts";
import {
  openSpendJournal,
  payoutIdsOf,
  type SpendJournal,
  spendJournalFormat,
  verifySpendJournal,
} from "./spend-journal.ts";

const key = new Uint8Array(32).fill(3);
let folder = "";
let files = 0;
const newPath = () => {
  files += 1;
  return join(folder, `${files}.journal`);
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-spends-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function spendOf(number: number, chain = "BTC", size = 100): Omit<SignedSpend, "sequence"> {
  const payouts = [{ ...payoutOf(`p${number}`), chain, approval: "" }];
  const spend = { spendId: String(number), chain, kind: "payout" } as const;
  return {
    ...spend,
    payoutIds: payouts.map(({ payoutId }) => payoutId),
    claims: [`${number}:0`],
    txid: number.toString(16).padStart(64, "0"),
    raw: "ab".repeat(size),
    body: { note: "naïve ☃", inputs: [`${number}:0`] },
    feeUnits: "10",
    intent: { ...spend, feeCeiling: "10", payouts },
    signedAt: "2026-01-02T03:04:05.678901Z",
  };
}

async function withJournal<Result>(
  path: string,
  use: (journal: SpendJournal) => Promise<Result>,
  onSpend: Parameters<typeof openSpendJournal>[2] = () => undefined,
): Promise<Result> {
  const journal = await openSpendJournal(path, key, onSpend);
  try {
    return await use(journal);
  } finally {
    await journal.close();
  }
}

const record = async (journal: SpendJournal, count: number, size?: number) => {
  for (let number = 1; number <= count; number += 1) {
    await journal.record(spendOf(number, number % 3 === 0 ? "LTC" : "BTC", size));
  }
};

/** Writes a journal of these spends at once, as the holder of the key can. */
async function writeSpends(path: string, spends: readonly object[]): Promise<void> {
  const seal = keyedSeal(key);
  let previous = "";
  const lines = [spendJournalFormat(path, key).header, ...spends.map((one) => JSON.stringify(one))];
  const sealed = lines.map((line) => {
    previous = seal(Buffer.from(line), previous);
    return `${line} ${previous}\n`;
  });
  await writeFile(path, sealed.join(""));
}

describe("the journal of signed spends", () => {
  it("finds records by chain, spend and payout, even after a restart", async () => {
    const path = newPath();
    const look = async (journal: SpendJournal) => {
      expect(journal.newest()).toBe(6);
      const chain = await journal.after("LTC", 0);
      expect(chain).toEqual([
        { ...spendOf(3, "LTC"), sequence: 3 },
        { ...spendOf(6, "LTC"), sequence: 6 },
      ]);
      expect(await journal.after("LTC", 3)).toEqual(chain.slice(1));
      expect(await journal.after("LTC", 6)).toEqual([]);
      expect(await journal.after("DOGE", 0)).toEqual([]);
      expect(await journal.spendsOf("p5")).toEqual([{ ...spendOf(5), sequence: 5 }]);
      expect(await journal.spendsOf("p7")).toEqual([]);
      const rivals = async (intent: SpendIntent) =>
        (await journal.rivals(intent)).map(({ sequence }) => sequence);
      const { intent } = spendOf(2);
      expect(await rivals(intent)).toEqual([2]);
      expect(await rivals({ ...intent, spendId: "4" })).toEqual([4, 2]);
      expect(await rivals({ ...intent, spendId: "9" })).toEqual([2]);
      expect(await rivals({ kind: "gap", spendId: "2", chain: "BTC", feeCeiling: "1" })).toEqual(
        [],
      );
      expect(journal.newPayoutsOf(intent)).toEqual([]);
      expect(journal.newPayoutsOf(spendOf(7).intent)).toHaveLength(1);
    };
    await withJournal(path, async (journal) => {
      await record(journal, 6);
      await look(journal);
    });
    const sequences: number[] = [];
    await withJournal(path, look, ({ sequence }, first) => sequences.push(sequence, first.length));
    expect(sequences).toEqual([1, 1, 2, 1, 3, 1, 4, 1, 5, 1, 6, 1]);
  });

  it("ends pages before they grow large, and returns everything in total", async () => {
    const path = newPath();
    await withJournal(path, async (journal) => {
      await record(journal, 30, 50_000);
      const sequences: number[] = [];
      for (;;) {
        const page = await journal.after("BTC", sequences.at(-1) ?? 0);
        if (page.length === 0) break;
        expect(JSON.stringify(page).length).toBeLessThan(1_100_000);
        sequences.push(...page.map(({ sequence }) => sequence));
      }
      expect(sequences).toHaveLength(20);
      expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    });
  });

  it("ends pages after 500 spends, and has a page for one spend of more than a megabyte", async () => {
    const path = newPath();
    const large = 1024 * 1024;
    const sizes = [...Array.from({ length: 501 }, () => 1), large, large];
    const spends = sizes.map((size, index) => ({
      ...spendOf(index + 1, "BTC", size),
      sequence: index + 1,
    }));
    await writeSpends(path, spends);
    await withJournal(path, async (journal) => {
      const page = async (after: number) =>
        (await journal.after("BTC", after)).map(({ sequence }) => sequence);
      const [first, second] = [await page(0), await page(500)];
      expect([first.length, first.at(-1), second]).toEqual([500, 500, [501]]);
      expect([await page(501), await page(502), await page(503)]).toEqual([[502], [503], []]);
    });
  });

  it("refuses valid lines whose spends are not numbered from 1", async () => {
    const path = newPath();
    await writeSpends(path, [{ ...spendOf(1), sequence: 2 }]);
    await expect(openSpendJournal(path, key, () => undefined)).rejects.toEqual(
      expect.objectContaining({
        name: "JournalDamaged",
        message: `${path}: spend 2 is at another spend's position`,
      }),
    );
  });

  it("reads what version 1 wrote", async () => {
    const path = newPath();
    await withJournal(path, () => Promise.resolve());
    expect(await readFile(path, "utf8")).toBe(
      '{"journal":"sluice signed spends","version":1} 19b8dd0b7a4b3fcf9c6b3210c57389a89653afa740c24179b5f8fe8f53442797\n',
    );
  });

  it("passes on by how much each attempt of a spend exceeds all before it", async () => {
    const path = newPath();
    const fees = ["10", "4", "8", "13"];
    const added: bigint[] = [];
    const onSpend = (...[, , fee]: Parameters<Parameters<typeof openSpendJournal>[2]>) => {
      added.push(fee);
    };
    await withJournal(
      path,
      async (journal) => {
        for (const feeUnits of fees) await journal.record({ ...spendOf(1), feeUnits });
      },
      onSpend,
    );
    await withJournal(path, () => Promise.resolve(), onSpend);
    expect(added).toEqual([10n, 0n, 0n, 3n, 10n, 0n, 0n, 3n]);
  });

  it("counts in full what can be mined beside earlier attempts, and reads attempts of earlier releases", async () => {
    const path = newPath();
    const sweep = (fee: number, gas: number, isOld = false): Omit<SignedSpend, "sequence"> => {
      const decisive = [`gas#${gas}`];
      return {
        ...spendOf(1),
        claims: ["deposit#0", ...decisive],
        feeUnits: String(fee),
        ...(isOld ? {} : { decisive }),
      };
    };
    const sweeps = [sweep(10, 5, true), sweep(12, 5), sweep(11, 6), sweep(14, 6), sweep(13, 5)];
    const added: bigint[] = [];
    const onSpend = (...[, , fee]: Parameters<Parameters<typeof openSpendJournal>[2]>) => {
      added.push(fee);
    };
    const recordAll = async (journal: SpendJournal) => {
      for (const one of sweeps) await journal.record(one);
    };
    await withJournal(path, recordAll, onSpend);
    await withJournal(path, () => Promise.resolve(), onSpend);
    const expected = [10n, 2n, 11n, 3n, 1n];
    expect(added).toEqual([...expected, ...expected]);
  });

  it("knows no payouts of other spends", () => {
    expect(payoutIdsOf({ kind: "gap", spendId: "2", chain: "BTC", feeCeiling: "1" })).toEqual([]);
    expect(payoutIdsOf(spendOf(3).intent)).toEqual(["p3"]);
  });

  it("rejects altered, removed, moved or foreign lines, but not a torn last one", async () => {
    const path = newPath();
    await withJournal(path, (journal) => record(journal, 4));
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    const attacks: readonly (readonly string[])[] = [
      lines.with(2, lines[2]!.replace('"2:0"', '"9:0"')),
      lines.with(4, lines[4]!.replace('"4:0"', '"9:0"')),
      lines.toSpliced(1, 1),
      lines.toSpliced(3, 0, lines[2]!),
      lines.with(1, lines[2]!).with(2, lines[1]!),
    ];
    const attacked = newPath();
    for (const attack of attacks) {
      await writeFile(attacked, attack.map((line) => `${line}\n`).join(""));
      await expect(openSpendJournal(attacked, key, () => undefined)).rejects.toThrow(
        JournalDamaged,
      );
      await expect(verifySpendJournal(attacked, key)).rejects.toThrow(JournalDamaged);
    }
    await expect(verifySpendJournal(path, new Uint8Array(32))).rejects.toThrow("another keystore");
    await writeFile(attacked, `${lines.join("\n")}\n${lines[1]!.slice(0, 90)}`);
    await withJournal(attacked, (journal) => {
      expect(journal.newest()).toBe(4);
      return journal.record(spendOf(5));
    });
    await verifySpendJournal(attacked, key);
  });

  it("notices when a line is altered on the disk while it runs, even if another line of its own replaces it", async () => {
    const path = newPath();
    await withJournal(path, async (journal) => {
      await record(journal, 4);
      const text = await readFile(path, "latin1");
      const file = await open(path, "r+");
      const at = text.indexOf('"4:0"') + 1;
      await file.write("9", at);
      await expect(journal.spendsOf("p4")).rejects.toThrow("was altered");
      expect(await journal.spendsOf("p2")).toHaveLength(1);
      // Spend 1 and what its seal depends on, at the offset of spend 2: lines of equal length.
      const starts = [...text.matchAll(/\n/g)].map(({ index }) => index);
      const [first = 0, second = 0, third = 0] = starts;
      expect(second - first).toBe(third - second);
      const moved = Buffer.from(text.slice(first - 64, second), "latin1");
      await file.write(moved, 0, moved.length, second - 64);
      await expect(journal.spendsOf("p2")).rejects.toThrow(`${path} was altered`);
      await file.close();
    });
  });

  it("writes nothing after a failed write until the next start", async () => {
    const path = newPath();
    const journal = await openSpendJournal(path, key, () => undefined);
    await journal.record(spendOf(1));
    await journal.close();
    await expect(journal.record(spendOf(2))).rejects.toThrow();
    await expect(journal.record(spendOf(2))).rejects.toThrow("an earlier write failed");
    expect(journal.newest()).toBe(1);
  });
});
