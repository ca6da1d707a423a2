/** Writers of the journal that are killed within a write. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openIssueJournal } from "./issue-journal.ts";

const key = new Uint8Array(32).fill(7);
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-journal-killed-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the journal of issued addresses", () => {
  it("keeps everything acknowledged when it is killed while writing, and continues", async () => {
    const path = join(folder, "issued.journal");
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
      const journal = await openIssueJournal(path, key);
      const highest = journal.highest("BTC", "bech32");
      await journal.close();
      expect(highest).toBeGreaterThanOrEqual(acknowledged);
    }
  });
});
