/** Random histories, files cut anywhere, altered lines and killed writers. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { type IssueJournal, openIssueJournal } from "./issue-journal.ts";
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

  it("keeps everything acknowledged when it is killed while writing, and continues", async () => {
    const path = newPath();
    const program = `
    import { openIssueJournal } from ${JSON.stringify(join(import.meta.dirname, "issue-journal.ts"))};
    const journal = await openIssueJournal(${JSON.stringify(path)}, new Uint8Array(32).fill(7));
    let next = (journal.highest("BTC", "bech32") ?? -1) + 1;
    for (;;) {
      const outcome = await journal.record({ keyspace: "BTC", addressType: "bech32", first: next, last: next });
      if (outcome.kind !== "recorded") throw new Error("refused");
      process.stdout.write(next + "\\n");
      next += 1;
    }`;
    let acknowledged = -1;
    for (let round = 0; round < 8; round += 1) {
      const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let printed = "";
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        printed += chunk;
        // Somewhere in the middle of a write, at a different place each time.
        if (printed.length > 40 * (round + 1)) child.kill("SIGKILL");
      });
      await once(child, "close");
      const lines = printed.split("\n").slice(0, -1).map(Number);
      expect(lines[0]).toBeGreaterThan(acknowledged);
      acknowledged = lines.at(-1)!;
      const highest = await withJournal(path, (journal) => journal.highest("BTC", "bech32"));
      expect(highest).toBeGreaterThanOrEqual(acknowledged);
    }
  });
});
