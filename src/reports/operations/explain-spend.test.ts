import { describe, expect, it } from "vitest";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { explainSpend } from "./explain-spend.ts";
import type { SpendUnderWay } from "./pipeline.store.ts";

const created = 1_000_000_000_000 as Instant;
const spend: SpendUnderWay = {
  id: "1",
  chain: "BTC",
  kind: "payout",
  state: "open",
  attemptState: "broadcast",
  attempts: 1,
  payouts: 1,
  txid: "ab",
  broadcasts: 1,
  refusal: null,
  feeCurrency: "1000",
  feeUnits: 1n,
  confirmations: 2,
  blockHeight: null,
  createdAt: created,
};

describe("explainSpend", () => {
  it.each([
    [{ attemptState: "drafted" }, "signing"],
    [{ attemptState: "signing" }, "the signer's response"],
    [{ attemptState: "signed" }, "broadcast"],
    [{ attemptState: "broadcast" }, "a block"],
    [{ attemptState: "broadcast", refusal: "fee too low" }, "acceptance by the node: fee too low"],
    [
      { attemptState: "refused", refusal: "above its limit" },
      "manual action: the signer rejected it (above its limit)",
    ],
    [{ state: "included", blockHeight: 100 }, "confirmations: 1 of 2"],
    [{ state: "included", blockHeight: 90 }, "a second check of the result"],
  ] as const)("explains that %j waits for %s", (change, waitsFor) => {
    const explanation = explainSpend({ ...spend, ...change }, 100, 600, addSeconds(created, 5));
    expect([explanation.waitsFor, explanation.ageSeconds, explanation.isStuck]).toEqual([
      waitsFor,
      5,
      false,
    ]);
  });

  it("calls an unconfirmed transaction stuck after the configured time, and an included one not", () => {
    const later = addSeconds(created, 600);
    expect(explainSpend(spend, 100, 600, later).isStuck).toBe(true);
    const included = { ...spend, state: "included", blockHeight: 100 } as const;
    expect(explainSpend(included, 100, 600, later).isStuck).toBe(false);
  });
});
