/** Random histories, files cut anywhere and altered lines. */
import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { type IssueJournal, openIssueJournal, verifyIssueJournal } from "./issue-journal.ts";
import { JournalDamaged } from "./sealed-lines.ts";

const key = new Uint8Array(32).fill(7);
let folder = "";
let files = 0;
const newPath = () => {
  files += 1;
  return join(folder, `${files}.journal`);
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-journal-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function withJournal<Result>(
  path: string,
  use: (journal: IssueJournal) => Promise<Result> | Result,
): Promise<Result> {
  const journal = await openIssueJournal(path, key);
  try {
    return await use(journal);
  } finally {
    await journal.close();
  }
}

const range = (first: number, last: number, addressType = "bech32") => ({
  keyspace: "BTC",
  addressType,
  first,
  last,
});

describe("the journal of issued addresses", () => {
  it("keeps the highest index of each kind of address over restarts", async () => {
    const path = newPath();
    await withJournal(path, async (journal) => {
      expect(journal.highest("BTC", "bech32")).toBeNull();
      expect(await journal.record(range(0, 199))).toEqual({ kind: "recorded" });
      expect(await journal.record(range(0, 4, "legacy"))).toEqual({ kind: "recorded" });
      expect(await journal.record(range(500, 500))).toEqual({ kind: "recorded" });
    });
    await withJournal(path, (journal) => {
      expect(journal.highest("BTC", "bech32")).toBe(500);
      expect(journal.highest("BTC", "legacy")).toBe(4);
      expect(journal.highest("LTC", "bech32")).toBeNull();
    });
  });

  it("never records an index twice, whatever is requested concurrently", async () => {
    const ranges = fc.array(fc.tuple(fc.nat(300), fc.nat(40)), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(ranges, async (asked) => {
        const path = newPath();
        const issued: number[] = [];
        await withJournal(path, async (journal) => {
          const outcomes = await Promise.all(
            asked.map(([first, length]) => journal.record(range(first, first + length))),
          );
          outcomes.forEach((outcome, index) => {
            const [first, length] = asked[index]!;
            if (outcome.kind === "refused") {
              expect(outcome.highest).toBeGreaterThanOrEqual(first);
              return;
            }
            for (let at = first; at <= first + length; at += 1) issued.push(at);
          });
        });
        expect(new Set(issued).size).toBe(issued.length);
        expect(await withJournal(path, (journal) => journal.highest("BTC", "bech32"))).toBe(
          Math.max(...issued),
        );
      }),
      { numRuns: 30 },
    );
  });

  it("drops a last line that was cut anywhere, keeps the ones before it and continues", async () => {
    const whole = newPath();
    await withJournal(whole, async (journal) => {
      await journal.record(range(0, 9));
      await journal.record(range(10, 19));
    });
    const text = await readFile(whole, "utf8");
    const lastLineAt = text.trimEnd().lastIndexOf("\n") + 1;
    for (let length = lastLineAt; length < text.length; length += 1) {
      const path = newPath();
      await writeFile(path, text);
      await truncate(path, length);
      await withJournal(path, async (journal) => {
        expect(journal.highest("BTC", "bech32")).toBe(9);
        expect(await journal.record(range(10, 29))).toEqual({ kind: "recorded" });
      });
      expect(await withJournal(path, (journal) => journal.highest("BTC", "bech32"))).toBe(29);
    }
  });

  it("drops a last line whose beginning never reached the disk", async () => {
    const path = newPath();
    await withJournal(path, (journal) => journal.record(range(0, 9)));
    await appendFile(path, `${"\0".repeat(80)}0123456789abcdef\n`);
    expect(await withJournal(path, (journal) => journal.highest("BTC", "bech32"))).toBe(9);
  });

  it("overwrites all of a torn line with a shorter one", async () => {
    const path = newPath();
    await withJournal(path, (journal) => journal.record(range(0, 9)));
    await appendFile(path, `\0\0${"x".repeat(400)}\n`);
    await withJournal(path, (journal) => journal.record(range(10, 19)));
    expect(await withJournal(path, (journal) => journal.highest("BTC", "bech32"))).toBe(19);
  });

  it("distinguishes altered, removed, repeated or added lines from a torn write", async () => {
    const whole = newPath();
    await withJournal(whole, async (journal) => {
      for (let first = 0; first < 40; first += 10) await journal.record(range(first, first + 9));
    });
    const lines = (await readFile(whole, "utf8")).trimEnd().split("\n");
    const attacks: readonly (readonly string[])[] = [
      lines.toSpliced(2, 1),
      lines.toSpliced(2, 0, lines[2]!),
      lines.with(2, lines[2]!.replace('"last":19', '"last":18')),
      lines.with(4, lines[4]!.replace('"last":39', '"last":30')),
      [...lines, lines[1]!],
      lines.slice(1),
      [],
    ];
    for (const attack of attacks) {
      const path = newPath();
      await writeFile(path, attack.map((line) => `${line}\n`).join(""));
      await expect(openIssueJournal(path, key)).rejects.toThrow(JournalDamaged);
    }
  });

  it("rejects the journal of another keystore", async () => {
    const path = newPath();
    await withJournal(path, (journal) => journal.record(range(0, 9)));
    const before = await readFile(path, "utf8");
    await expect(openIssueJournal(path, new Uint8Array(32))).rejects.toThrow("another keystore");
    expect(await readFile(path, "utf8")).toBe(before);
  });

  it("reads what version 1 wrote, byte for byte", async () => {
    const text = [
      '{"journal":"sluice issued addresses","version":1} d187a8b01a1199ece740ad093106f8ada1449bb64b21c17ee7de69da4c706008',
      '{"keyspace":"BTC","addressType":"bech32","first":0,"last":9} 52305565b818228c9a9b1182c8842985ba7a87b60bf3db9df580cc566f564fe9',
      "",
    ].join("\n");
    const path = newPath();
    await withJournal(path, (journal) => journal.record(range(0, 9)));
    expect(await readFile(path, "utf8")).toBe(text);
    await writeFile(path, text);
    expect(await withJournal(path, (journal) => journal.highest("BTC", "bech32"))).toBe(9);
  });

  it("records at most 10,000 addresses of a kind above the highest one at once", async () => {
    await withJournal(newPath(), async (journal) => {
      await expect(journal.record(range(0, 10_000))).rejects.toThrow(RangeError);
      expect(await journal.record(range(0, 9_999))).toEqual({ kind: "recorded" });
      await expect(journal.record(range(10_000, 20_000))).rejects.toThrow("up to 19999");
      expect(await journal.record(range(19_999, 19_999))).toEqual({ kind: "recorded" });
      expect(journal.highest("BTC", "bech32")).toBe(19_999);
    });
  });

  it("is verified with its key only", async () => {
    const path = newPath();
    await withJournal(path, (journal) => journal.record(range(0, 9)));
    await verifyIssueJournal(path, key);
    await expect(verifyIssueJournal(path, new Uint8Array(32))).rejects.toThrow(JournalDamaged);
  });

  it("records what was requested before it is closed, and nothing afterwards", async () => {
    const path = newPath();
    const journal = await openIssueJournal(path, key);
    const recorded = [journal.record(range(0, 9)), journal.record(range(10, 19))];
    await journal.close();
    expect(await Promise.all(recorded)).toEqual([{ kind: "recorded" }, { kind: "recorded" }]);
    await expect(journal.record(range(20, 29))).rejects.toThrow();
    expect(await withJournal(path, (again) => again.highest("BTC", "bech32"))).toBe(19);
  });
});
