/**
 * Whatever is asked, in whatever order and through whatever crashes, no two transactions are signed for one payout that could
 * both be mined.
 */
import { appendFile, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { manualClock } from "../../test/support/manual-clock.ts";
import { createPlainDraftSigner } from "../../test/support/plain-draft-signer.ts";
import { fc } from "../../test/support/property.ts";
import {
  expiringRequest,
  payoutOf,
  payoutRequest,
  plainAsset,
  reasonOf,
  requestOf,
  useSignerSite,
} from "../../test/support/signer-site.ts";
import { silentLogger } from "../platform/kernel/logger.ts";
import { systemRandom } from "../platform/kernel/system-random.ts";
import type { SignedSpend, SignOutcome, SignRequest } from "./intent.ts";
import { openAuditLog } from "./journal/audit-log.ts";
import { openSpendJournal } from "./journal/spend-journal.ts";
import { createSpendTotals } from "./journal/spend-totals.ts";
import { createApprovalKey, readApprovalKey } from "./keys/approval-key.ts";
import { sealKeys } from "./keys/key-ring.ts";
import type { OpenedSigning } from "./open-signing.ts";
import { createSigning } from "./sign-spend.ts";

const site = useSignerSite();
const signed = { kind: "signed" } as const;

const { withSigning } = site;

describe("the signer", () => {
  it("signs an approved payout, and repeats the same bytes for the same request without another record", async () => {
    await withSigning(async ({ signing, journal }) => {
      const request = payoutRequest("1", [site.approved(payoutOf("11"))], ["a:0", "b:1"]);
      const first = await signing.sign(request);
      expect(first).toMatchObject(signed);
      // As a database returns it: members in another order.
      const { inputs, outputs, fee } = request.body;
      const again = { ...request, claims: ["b:1", "a:0"], body: { fee, outputs, inputs } as never };
      expect(await signing.sign(again)).toEqual(first);
      expect(journal.newest()).toBe(1);
      expect((await journal.spendsOf("11")).map(({ txid }) => txid)).toEqual([
        first.kind === "signed" ? first.txid : "",
      ]);
    });
  });

  it("refuses a replacement that shares no claim with an earlier transaction of each of its payouts", async () => {
    await withSigning(async ({ signing }) => {
      const [one, two] = [site.approved(payoutOf("1")), site.approved(payoutOf("2"))];
      expect(await signing.sign(payoutRequest("1", [one, two], ["a:0", "b:0"]))).toMatchObject(
        signed,
      );
      expect(await signing.sign(payoutRequest("1", [one], ["a:0", "c:0"], "20"))).toMatchObject(
        signed,
      );
      // Shares a claim with the first one only.
      const untied = await signing.sign(payoutRequest("1", [one], ["b:0", "d:0"], "30"));
      expect(reasonOf(untied)).toMatch(/shares no claim with [0-9a-f]{64}, .* both could be mined/);
      // Another payout of it was signed with other claims.
      const foreign = await signing.sign(payoutRequest("1", [one, two], ["c:0"], "30"));
      expect(reasonOf(foreign)).toContain("shares no claim");
      expect(await signing.sign(payoutRequest("1", [one], ["a:0"], "30"))).toMatchObject(signed);
    });
  });

  it("refuses another spend for a signed payout, as after restoring an older database", async () => {
    await withSigning(async ({ signing }) => {
      const payout = site.approved(payoutOf("1"));
      expect(await signing.sign(payoutRequest("1", [payout], ["a:0"]))).toMatchObject(signed);
      expect(reasonOf(await signing.sign(payoutRequest("900", [payout], ["z:0"])))).toContain(
        "shares no claim",
      );
      expect(await signing.sign(payoutRequest("901", [payout], ["a:0"], "12"))).toMatchObject(
        signed,
      );
    });
  });

  it("signs a payout that claims nothing once, since it cannot know that the transaction expired", async () => {
    await withSigning(async ({ signing, journal }) => {
      const payout = site.approved(payoutOf("1"));
      const request = expiringRequest("1", [payout], 1_000);
      const first = await signing.sign(request);
      expect(first).toMatchObject(signed);
      expect(await signing.sign(structuredClone(request))).toEqual(first);
      for (const again of [
        expiringRequest("1", [payout], 9_000_000),
        expiringRequest("900", [payout], 9_000_000),
        payoutRequest("901", [payout], ["a:0"]),
      ])
        expect(reasonOf(await signing.sign(again))).toContain("shares no claim");
      expect(await signing.sign(expiringRequest("2", [site.approved(payoutOf("2"))], 1))).toEqual(
        expect.objectContaining(signed),
      );
      const spends = await everything({ journal });
      expect(spends.map(({ validity, sender }) => ({ validity, sender }))).toEqual([
        { validity: { kind: "time", until: 1_000 }, sender: "the-hot-account" },
        { validity: { kind: "time", until: 1 }, sender: "the-hot-account" },
      ]);
    });
  });

  it("signs a payout once where the chain forgets what was claimed, and repeats its bytes", async () => {
    const forgetful = createPlainDraftSigner("BTC", null, () => ({ areClaimsForgotten: true }));
    await withSigning(
      async ({ signing, journal }) => {
        const [one, two] = [site.approved(payoutOf("1")), site.approved(payoutOf("2"))];
        const request = payoutRequest("1", [one, two], ["wallet#7"]);
        const first = await signing.sign(request);
        expect(first).toMatchObject(signed);
        expect(await signing.sign(structuredClone(request))).toEqual(first);
        for (const again of [
          payoutRequest("1", [one, two], ["wallet#7"], "11"),
          payoutRequest("1", [one], ["wallet#7"]),
          payoutRequest("900", [two], ["wallet#7"]),
        ])
          expect(reasonOf(await signing.sign(again))).toContain("the chain forgets what it claims");
        const other = payoutRequest("2", [site.approved(payoutOf("3"))], ["wallet#7"]);
        expect(await signing.sign(other)).toMatchObject(signed);
        expect(journal.newest()).toBe(2);
      },
      manualClock(),
      { draftSigners: [forgetful] },
    );
  });

  it("refuses a draft that claims nothing and never expires", async () => {
    await withSigning(async ({ signing, journal }) => {
      const outcome = await signing.sign(payoutRequest("1", [site.approved(payoutOf("1"))], []));
      expect(reasonOf(outcome)).toContain("claims nothing and never expires");
      expect(journal.newest()).toBe(0);
    });
  });

  it("does not count a claim of another chain", async () => {
    await withSigning(async ({ signing }) => {
      const payout = site.approved(payoutOf("1"));
      expect(await signing.sign(payoutRequest("1", [payout], ["a:0"]))).toMatchObject(signed);
      const moved = site.approved({ ...payoutOf("1"), chain: "LTC", currency: "1003" });
      const { intent, ...rest } = payoutRequest("2", [moved], ["a:0"]);
      const elsewhere = await signing.sign({ ...rest, intent: { ...intent, chain: "LTC" } });
      expect(reasonOf(elsewhere)).toContain("shares no claim");
    });
  });

  it("signs nothing more once the audit log cannot be written", async () => {
    const folder = await site.newFolder();
    const journal = await openSpendJournal(join(folder, "j"), new Uint8Array(32), () => undefined);
    const audit = await openAuditLog(join(folder, "a"));
    const signing = createSigning({
      journal,
      audit,
      approvalKeys: [],
      limits: "none",
      findAsset: plainAsset,
      totals: createSpendTotals(),
      draftSigners: [createPlainDraftSigner("BTC")],
      clock: manualClock(),
      keys: sealKeys(new Uint8Array(32), systemRandom),
      logger: silentLogger,
    });
    const gap = { kind: "gap", chain: "BTC", feeCeiling: "10" } as const;
    const ask = (spendId: string) => signing.sign(requestOf({ ...gap, spendId }, [spendId]));
    expect(await ask("1")).toMatchObject(signed);
    // As with a full or broken disk: every write fails from now on.
    await audit.close();
    await expect(ask("2")).rejects.toThrow();
    await expect(ask("3")).rejects.toThrow("an earlier write failed");
    await expect(ask("1")).rejects.toThrow("an earlier write failed");
    expect(journal.newest()).toBe(2);
    await journal.close();
  });

  it("keeps the receiver and amount of a signed payout, regardless of later approvals", async () => {
    await withSigning(async ({ signing }) => {
      expect(
        await signing.sign(payoutRequest("1", [site.approved(payoutOf("1"))], ["a:0"])),
      ).toMatchObject(signed);
      const more = site.approved(payoutOf("1", "1001"));
      expect(reasonOf(await signing.sign(payoutRequest("1", [more], ["a:0"])))).toContain(
        "another receiver, asset or amount",
      );
    });
  });

  it("requires attempts of a spend without payouts to share a claim as well", async () => {
    await withSigning(async ({ signing }) => {
      const intent = {
        kind: "consolidation",
        spendId: "5",
        chain: "LTC",
        feeCeiling: "100",
      } as const;
      expect(await signing.sign(requestOf(intent, ["a:0", "b:0"]))).toMatchObject(signed);
      expect(reasonOf(await signing.sign(requestOf(intent, ["c:0"])))).toContain("shares no claim");
      expect(await signing.sign(requestOf({ ...intent, spendId: "6" }, ["c:0"]))).toMatchObject(
        signed,
      );
      expect(await signing.sign(requestOf(intent, ["b:0"], [], "20"))).toMatchObject(signed);
    });
  });

  it.each([
    ["another receiver", { address: "receiver-2" }],
    ["another amount", { units: "1001" }],
    ["another payout", { payoutId: "2" }],
    ["a tag", { tag: "7" }],
    ["another currency", { currency: "1003" }],
    ["a token", { asset: { kind: "token", locator: `0x${"1".repeat(40)}` } }],
  ] as const)("refuses an approval of another payout: %s", async (_name, change) => {
    await withSigning(async ({ signing, journal }) => {
      const altered = { ...site.approved(payoutOf("1")), ...change };
      const outcome = await signing.sign(payoutRequest("1", [altered], ["a:0"]));
      expect(reasonOf(outcome)).toContain("is not approved in this form");
      expect(journal.newest()).toBe(0);
    });
  });

  it("ignores approvals of another chain and of unknown keys, and accepts a rotated key", async () => {
    const path = join(await site.newFolder(), "approval.key");
    await createApprovalKey(path, systemRandom);
    const other = await readApprovalKey(path);
    const byOther = {
      ...payoutOf("1"),
      approval: Buffer.from(other.approve(payoutOf("1"))).toString("base64"),
    };
    await withSigning(async ({ signing }) => {
      expect(reasonOf(await signing.sign(payoutRequest("1", [byOther], ["a:0"])))).toContain(
        "not approved",
      );
      const elsewhere = site.approved({ ...payoutOf("1"), chain: "LTC" });
      expect(reasonOf(await signing.sign(payoutRequest("1", [elsewhere], ["a:0"])))).toContain(
        "another chain",
      );
    });
    const approvalKeys = [site.approvalKey(), other.publicKey];
    await withSigning(
      async ({ signing }) => {
        expect(await signing.sign(payoutRequest("1", [byOther], ["a:0"]))).toMatchObject(signed);
      },
      manualClock(),
      { approvalKeys },
    );
  });

  it("refuses a draft that differs from its intent, uses other claims, burns too much or cannot be read", async () => {
    await withSigning(async ({ signing, journal }) => {
      const payout = site.approved(payoutOf("1"));
      const good = payoutRequest("1", [payout], ["a:0"]);
      const bad: readonly (readonly [SignRequest, string])[] = [
        [payoutRequest("1", [payout], ["a:0"], "1000001"), "burns up to 1000001"],
        [{ ...good, claims: ["b:0"] }, "claims differ"],
        [{ ...good, claims: ["a:0", "b:0"] }, "claims differ"],
        [{ ...payoutRequest("1", [payout], ["a:0", "b:0"]), claims: ["a:0"] }, "claims differ"],
        [{ ...good, body: { ...good.body, outputs: [] } }, "it pays something else"],
        [{ ...good, body: { fee: "1", inputs: 1, outputs: 2 } }, "the draft cannot be read"],
      ];
      for (const [request, reason] of bad) {
        expect(reasonOf(await signing.sign(request))).toContain(reason);
      }
      expect(journal.newest()).toBe(0);
    });
  });

  it("fails instead of refusing permanently while an operator has something to configure", async () => {
    const request = payoutRequest("1", [site.approved(payoutOf("1"))], ["a:0"]);
    await withSigning(
      async ({ signing }) => {
        await expect(signing.sign(request)).rejects.toThrow("no limits.json");
      },
      manualClock(),
      { limits: null },
    );
    await withSigning(
      async ({ signing }) => {
        await expect(signing.sign(request)).rejects.toThrow("without an approval key");
        const intent = { ...request.intent, chain: "DOGE" } as const;
        await expect(signing.sign({ ...request, intent })).rejects.toThrow(
          "not configured for DOGE",
        );
      },
      manualClock(),
      { approvalKeys: [] },
    );
  });

  type Step =
    | { readonly kind: "ask"; readonly request: SignRequest }
    /** Where the file is cut, as a fraction of its last line; 1 keeps all of it. */
    | { readonly kind: "crash"; readonly kept: number };

  /** Few payouts, spends and claims, so that they collide. */
  const arbitrarySteps = (): fc.Arbitrary<readonly Step[]> => {
    const claims = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"));
    const payouts = fc.uniqueArray(fc.constantFrom("1", "2", "3"), { minLength: 1 });
    const ask = fc
      .tuple(fc.constantFrom("10", "20"), payouts, claims, fc.constantFrom("5", "6", "7"))
      .map(([spendId, ids, claimed, fee]): Step => {
        const approved = ids.map((id) => site.approved(payoutOf(id)));
        const request =
          claimed.length === 0
            ? expiringRequest(spendId, approved, Number(fee))
            : payoutRequest(spendId, approved, claimed, fee);
        return { kind: "ask", request };
      });
    const crash = fc.double({ min: 0, max: 1, noNaN: true }).map((kept): Step => {
      return { kind: "crash", kept };
    });
    return fc.array(fc.oneof({ weight: 4, arbitrary: ask }, { weight: 1, arbitrary: crash }), {
      minLength: 1,
      maxLength: 25,
    });
  };

  it("signs only transactions of a payout that share a claim, whatever is requested and through crashes", async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySteps(), async (steps) => {
        const folder = await site.newFolder();
        let opened = await site.open(folder, manualClock());
        const answered = new Map<string, SignOutcome>();
        for (const step of steps) {
          if (step.kind === "ask") {
            const text = JSON.stringify(step.request);
            const outcome = await opened.signing.sign(step.request);
            const before = answered.get(text);
            if (before !== undefined) expect(outcome).toEqual(before);
            if (outcome.kind === "signed") answered.set(text, outcome);
            continue;
          }
          await opened.close();
          await tearUnanswered(folder, step.kept);
          opened = await site.open(folder, manualClock());
        }
        assertNeverTwice(await everything(opened));
        await opened.close();
      }),
      { numRuns: 30 },
    );
  });

  /** A crash in the middle of writing a line that was not acknowledged yet. */
  async function tearUnanswered(folder: string, kept: number): Promise<void> {
    const path = join(folder, "spends.journal");
    const length = (await readFile(path)).length;
    const line = `{"sequence":99,"spendId":"10","claims":["z"]} ${"0".repeat(64)}\n`;
    await appendFile(path, line);
    await truncate(path, length + Math.floor(kept * (line.length - 1)));
  }

  async function everything({
    journal,
  }: Pick<OpenedSigning, "journal">): Promise<readonly SignedSpend[]> {
    const spends: SignedSpend[] = [];
    for (;;) {
      const page = await journal.after("BTC", spends.at(-1)?.sequence ?? 0);
      if (page.length === 0) return spends;
      spends.push(...page);
    }
  }

  function assertNeverTwice(spends: readonly SignedSpend[]): void {
    for (const spend of spends) {
      for (const other of spends) {
        if (spend === other) continue;
        const isOfOnePayout = spend.payoutIds.some((id) => other.payoutIds.includes(id));
        if (!isOfOnePayout) continue;
        expect(spend.claims.some((claim) => other.claims.includes(claim))).toBe(true);
      }
    }
  }

  it("gives the same response after a crash between journal and response, and completes the audit log", async () => {
    const folder = await site.newFolder();
    const request = payoutRequest("1", [site.approved(payoutOf("1"))], ["a"]);
    const first = await site.open(folder, manualClock());
    const outcome = await first.signing.sign(request);
    await first.close();
    // The log before its line was written.
    const log = join(folder, "audit.log");
    const [head] = (await readFile(log, "utf8")).split("\n");
    await writeFile(log, `${head}\n`);
    const second = await site.open(folder, manualClock());
    expect(await second.signing.sign(request)).toEqual(outcome);
    await second.close();
    const entries = (await readFile(log, "utf8")).split("\n").slice(1, -1);
    expect(entries.map((line) => /"outcome":"(\w+)"/.exec(line)?.[1])).toEqual([
      "found",
      "repeated",
    ]);
  });
});
