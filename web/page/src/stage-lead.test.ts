import { describe, expect, it } from "vitest";
import type {
  CheckoutArrival,
  CheckoutState,
} from "../../../src/deposits/checkout/checkout-state.ts";
import { en } from "./languages/en.ts";
import { stageLead, stageTitle } from "./stage-lead.ts";

/** A page on which a payment of 0.5 ETH was detected, with these counts of confirmations. */
function seen(...counts: readonly number[]): CheckoutState {
  return {
    id: "7b0c4f54-12b5-4a7e-9d15-9f2d1f0a2c11",
    version: "a",
    stage: "seen",
    reason: null,
    isSandbox: false,
    shop: null,
    embedders: [],
    brand: { logo: null, accents: null },
    order: null,
    description: null,
    receipt: { isShown: true, note: null, isMailed: false },
    helpEmail: null,
    redirect: null,
    price: null,
    choices: null,
    payment: null,
    arrivals: counts.map(
      (confirmations): CheckoutArrival => ({
        txid: "0x1",
        link: null,
        code: "ETH",
        amount: "0.5",
        state: "pending",
        confirmations,
        needed: 12,
        seenAt: "2026-01-01T00:00:00.000000Z",
      }),
    ),
    expiresAt: null,
    now: "2026-01-01T00:00:00.000000Z",
    refund: { isAsked: false, tagType: null, address: null, tag: null },
  };
}

describe("stageTitle", () => {
  it.each([
    [[0], "Payment detected"],
    [[11], "Payment detected"],
    [[12, 3], "Payment detected"],
    [[12], "Payment received"],
    [[12, 12], "Payment received"],
  ])("of payments with %j of 12 confirmations is %j", (counts, title) => {
    expect(stageTitle(seen(...counts), en)).toBe(title);
  });

  it("of any other stage is the stage's own", () => {
    expect(stageTitle({ ...seen(12), stage: "partial" }, en)).toBe("Partially paid");
  });
});

describe("stageLead", () => {
  it("says that an address is on its way while there is none", () => {
    expect(stageLead({ ...seen(), stage: "waiting" }, en)).toEqual([en.pay.preparing]);
  });

  it("announces further confirmations only while some are missing", () => {
    expect(stageLead(seen(11), en)[0]).toContain("after a few confirmations");
    expect(stageLead(seen(12), en)[0]).toContain("has all its confirmations");
  });
});
