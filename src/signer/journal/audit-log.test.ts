import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import {
  payoutOf,
  payoutRequest,
  requestOf,
  useSignerSite,
} from "../../../test/support/signer-site.ts";
import { type AuditEntry, openAuditLog, verifyAuditLog } from "./audit-log.ts";
import { JournalDamaged } from "./sealed-lines.ts";

const site = useSignerSite();
let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sluice-audit-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** A folder with that many signed payouts, of whose log only the first `kept` lines are left. */
async function signSome(count = 4, kept = count): Promise<string> {
  const folder = await site.newFolder();
  const opened = await site.open(folder, manualClock());
  for (let index = 0; index < count; index += 1) {
    const payout = site.approved(payoutOf(String(index + 1)));
    await opened.signing.sign(payoutRequest(String(index + 1), [payout], [`${index}:0`]));
  }
  await opened.close();
  const path = join(folder, "audit.log");
  const lines = (await readFile(path, "utf8")).split("\n").slice(0, kept + 1);
  await writeFile(path, lines.map((line) => `${line}\n`).join(""));
  return folder;
}

describe("the audit log", () => {
  it("records every request with its outcome, without keys, drafts or signed bytes", async () => {
    const folder = await site.newFolder();
    const clock = manualClock();
    const opened = await site.open(folder, clock);
    const payouts = ["7", "8"].map((id) => site.approved(payoutOf(id)));
    const request = payoutRequest("1", payouts, ["secret-claim"]);
    const outcome = await opened.signing.sign(request);
    await opened.signing.sign(request);
    await opened.signing.sign({ ...request, claims: ["other"] });
    await opened.signing.sign({ intent: null });
    const gap = { kind: "gap", spendId: "2", chain: "XMR", feeCeiling: "1" } as const;
    await expect(opened.signing.sign(requestOf(gap, ["a"]))).rejects.toThrow("not configured");
    await opened.close();

    const text = await readFile(join(folder, "audit.log"), "utf8");
    const entries = text
      .split("\n")
      .slice(1, -1)
      .map((line) => JSON.parse(line.slice(0, -65)) as AuditEntry);
    const txid = outcome.kind === "signed" ? outcome.txid : null;
    const about = { kind: "payout", chain: "BTC", spendId: "1", payoutIds: ["7", "8"] } as const;
    const time = "2026-01-02T03:04:05.678901Z";
    expect(entries).toEqual([
      { time, ...about, outcome: "signed", reason: null, txid, sequence: 1 },
      { time, ...about, outcome: "repeated", reason: null, txid, sequence: 1 },
      {
        time,
        ...about,
        outcome: "refused",
        txid: null,
        sequence: null,
        reason: "the draft's claims differ from those of the request",
      },
      {
        time,
        kind: null,
        chain: null,
        spendId: null,
        payoutIds: [],
        outcome: "refused",
        reason: "request.intent: an object is needed",
        txid: null,
        sequence: null,
      },
      {
        time,
        kind: "gap",
        chain: "XMR",
        spendId: "2",
        payoutIds: [],
        outcome: "failed",
        reason: "the signer is not configured for XMR",
        txid: null,
        sequence: null,
      },
    ]);
    const raw = outcome.kind === "signed" ? outcome.raw : "";
    for (const secret of [raw, "secret-claim", "receiver-7", payouts[0]!.approval]) {
      expect(text).not.toContain(secret);
    }
  });

  it("detects a line that was altered, removed, inserted, repeated or moved", async () => {
    const folder = await signSome();
    const lines = (await readFile(join(folder, "audit.log"), "utf8")).trimEnd().split("\n");
    const path = join(home, "attacked.log");
    const verify = async (attacked: readonly string[]) => {
      await writeFile(path, attacked.map((line) => `${line}\n`).join(""));
      return verifyAuditLog(path);
    };
    expect(await verify(lines)).toEqual({ entries: 4, hash: lines[4]!.slice(-64) });
    const attacks: readonly (readonly string[])[] = [
      ...lines.map((line, index) => lines.with(index, line.replace(/"(\w)/, '"_$1'))),
      ...lines.slice(0, -1).map((_line, index) => lines.toSpliced(index, 1)),
      ...lines.map((line, index) => lines.toSpliced(index, 0, line)),
      lines.with(2, lines[3]!).with(3, lines[2]!),
      lines.with(1, `${lines[1]!.slice(0, -65)} ${"0".repeat(64)}`),
      [],
    ];
    for (const attack of attacks) await expect(verify(attack)).rejects.toThrow(JournalDamaged);
    await expect(verify(lines.toSpliced(2, 1))).rejects.toThrow(
      /attacked\.log: line 3 does not follow/,
    );
  });

  it("copies missing spends from the journal at the start, unless too many are missing", async () => {
    const folder = await signSome(101);
    const path = join(folder, "audit.log");
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    const cutTo = (count: number) =>
      writeFile(
        path,
        lines
          .slice(0, count)
          .map((line) => `${line}\n`)
          .join(""),
      );
    await cutTo(100);
    await (await site.open(folder, manualClock())).close();
    const found = (await readFile(path, "utf8")).trimEnd().split("\n").slice(100);
    expect(found.map((line) => /"sequence":(\d+),"outcome":"(\w+)"/.exec(line)?.slice(1))).toEqual([
      ["100", "found"],
      ["101", "found"],
    ]);
    await cutTo(1);
    await (await site.open(folder, manualClock())).close();
    expect(await readFile(path, "utf8")).toMatch(
      /that starts after this spend.*"sequence":101,"outcome":"found"/,
    );
    expect((await verifyAuditLog(path)).entries).toBe(1);
  });

  it("refuses a log that lacks more than a backup can, and starts another once it is put away", async () => {
    const folder = await signSome(102, 1);
    const path = join(folder, "audit.log");
    await expect(site.open(folder, manualClock())).rejects.toThrow("audit.log lacks 101 spends");
    await rm(path);
    await (await site.open(folder, manualClock())).close();
    expect((await verifyAuditLog(path)).entries).toBe(1);
  });

  it("refuses a journal that is missing or older than the log", async () => {
    const folder = await signSome();
    const path = join(folder, "spends.journal");
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    await writeFile(
      path,
      lines
        .slice(0, -1)
        .map((line) => `${line}\n`)
        .join(""),
    );
    await expect(site.open(folder, manualClock())).rejects.toThrow(
      "spends.journal ends at spend 3, but audit.log goes up to 4",
    );
    await rm(path);
    await expect(site.open(folder, manualClock())).rejects.toThrow("spends.journal is missing");
    await writeFile(path, lines.map((line) => `${line}\n`).join(""));
    await (await site.open(folder, manualClock())).close();
  });

  it("cuts off a torn last line, and refuses a file that is not a log", async () => {
    const folder = await signSome();
    const path = join(folder, "audit.log");
    await appendFile(path, '{"time":"2026-');
    const log = await openAuditLog(path);
    expect(log.newestSigned()).toBe(4);
    await log.close();
    const other = join(home, "other.log");
    await writeFile(other, "hello\n");
    await expect(openAuditLog(other)).rejects.toThrow("another program");
    await chmod(other, 0o600);
  });
});
