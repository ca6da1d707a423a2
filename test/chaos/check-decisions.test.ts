import { describe, expect, it } from "vitest";
import { checkDecisions } from "./check-decisions.ts";
import type { Evidence } from "./finding.ts";
import type { Sql } from "./open-sql.ts";
import type { RequestedDecision } from "./settle-load.ts";

const refund: RequestedDecision = {
  depositId: "3",
  action: "refund",
  key: "k",
  address: "0xPayer",
  payoutId: "7",
  outcome: "settled",
};
const paidBack = {
  id: "7",
  key: "k",
  address: "0xpayer",
  stage: "confirmed",
  taken: 100n,
  refunded: 100n,
  deposits: ["3"],
};

async function faultsIn(
  decisions: readonly RequestedDecision[],
  rows: readonly object[],
  lost: readonly object[] = [],
): Promise<number> {
  const sql: Sql = <Row>(text: string) =>
    Promise.resolve((text.includes("from payout p join") ? rows : lost) as readonly Row[]);
  const evidence = { sql, decisions, print: () => undefined } as unknown as Evidence;
  return (await checkDecisions(evidence)).faults.length;
}

describe("checkDecisions", () => {
  it("finds nothing if nothing is wrong", async () => {
    const accept: RequestedDecision = { ...refund, key: "a", action: "accept", payoutId: null };
    const unheard: RequestedDecision = { ...refund, key: "u", payoutId: null, outcome: "unknown" };
    const refused: RequestedDecision = { ...refund, key: "r", payoutId: null, outcome: "refused" };
    expect(await faultsIn([refund, accept, unheard, refused], [paidBack])).toBe(0);
    expect(await faultsIn([unheard], [{ ...paidBack, key: "u" }])).toBe(0);
    expect(await faultsIn([refund], [{ ...paidBack, stage: "failed", refunded: 0n }])).toBe(0);
  });

  it.each<
    readonly [what: string, decisions: readonly RequestedDecision[], rows: readonly object[]]
  >([
    ["acknowledged but missing", [refund], []],
    ["made twice", [refund], [paidBack, { ...paidBack, id: "8" }]],
    ["made although it was refused", [{ ...refund, outcome: "refused" }], [paidBack]],
    ["made for an accepted payment", [{ ...refund, action: "accept" }], [paidBack]],
    ["not requested", [], [paidBack]],
    ["different from the response", [refund], [{ ...paidBack, id: "8" }]],
    ["sent to another receiver", [refund], [{ ...paidBack, address: "0xother" }]],
    ["larger than what it settles", [refund], [{ ...paidBack, taken: 101n }]],
    ["standing although its payout failed", [refund], [{ ...paidBack, stage: "failed" }]],
    ["for another deposit", [refund], [{ ...paidBack, deposits: ["3", "4"] }]],
  ])("finds a refund that is %s", async (_what, decisions, rows) => {
    expect(await faultsIn(decisions, rows)).toBe(1);
  });

  it("finds a refunded transfer without a payout", async () => {
    expect(await faultsIn([refund], [paidBack], [{ id: "5" }])).toBe(1);
  });
});
