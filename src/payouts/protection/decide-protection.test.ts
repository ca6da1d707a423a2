import { describe, expect, it } from "vitest";
import { effectiveLimit, type LimitRows, limitBound, limitLoosens } from "./decide-protection.ts";

/* Which changes of a limit loosen it, and what the operator's limits allow. */

const none: LimitRows = {
  ownWallet: null,
  operatorWallet: null,
  ownAccount: null,
  deployment: null,
};

describe("a change of a limit", () => {
  it.each([
    ["a first limit tightens", "day", {}, { ownAccount: 5n }, false],
    ["the same limit changes nothing", "day", { ownAccount: 5n }, { ownAccount: 5n }, false],
    ["a lower limit tightens", "day", { ownAccount: 5n }, { ownAccount: 4n }, false],
    ["a higher limit loosens", "day", { ownAccount: 5n }, { ownAccount: 6n }, true],
    [
      "a limit of zero that rises loosens",
      "transaction",
      { ownAccount: 0n },
      { ownAccount: 1n },
      true,
    ],
    ["removal loosens", "hour", { ownAccount: 5n }, {}, true],
    [
      "removal in favor of a lower one tightens",
      "day",
      { ownAccount: 5n, deployment: 4n },
      { deployment: 4n },
      false,
    ],
    [
      "removal in favor of a higher one loosens",
      "day",
      { ownAccount: 5n, deployment: 9n },
      { deployment: 9n },
      true,
    ],
    [
      "a wallet's lower limit per payout tightens",
      "transaction",
      { ownAccount: 5n },
      { ownAccount: 5n, ownWallet: 4n },
      false,
    ],
    [
      "a wallet's higher limit per payout loosens",
      "transaction",
      { ownAccount: 5n },
      { ownAccount: 5n, ownWallet: 6n },
      true,
    ],
    [
      "a wallet's own sum loosens, even if it is lower",
      "day",
      { ownAccount: 5n },
      { ownAccount: 5n, ownWallet: 1n },
      true,
    ],
    [
      "the account's lower sum in place of the wallet's tightens",
      "day",
      { ownAccount: 5n, ownWallet: 6n },
      { ownAccount: 5n },
      false,
    ],
    [
      "the account's higher sum in place of the wallet's loosens",
      "day",
      { ownAccount: 7n, ownWallet: 6n },
      { ownAccount: 7n },
      true,
    ],
    ["a wallet's lower own sum tightens", "day", { ownWallet: 5n }, { ownWallet: 4n }, false],
  ] as const)("%s", (_title, span, before, after, loosens) => {
    const limit = (rows: Partial<LimitRows>) => effectiveLimit({ ...none, ...rows });
    expect(limitLoosens(span, limit(before), limit(after))).toBe(loosens);
  });
});

describe("the operator's limits", () => {
  it.each([
    ["nothing", "day", {}, false, null],
    ["the account's limits", "day", { deployment: 9n }, false, { units: 9n }],
    ["a wallet's limit per payout", "transaction", { deployment: 9n }, true, { units: 9n }],
    ["a wallet's own sum, which they forbid", "hour", { deployment: 9n }, true, "no_own_sum"],
    [
      "a wallet's own sum where the operator set one",
      "hour",
      { deployment: 9n, operatorWallet: 3n },
      true,
      { units: 3n },
    ],
    ["the account's limits, whatever a wallet's is", "day", { operatorWallet: 3n }, false, null],
  ] as const)("bound %s", (_title, span, rows, isOfWallet, bound) => {
    expect(limitBound(span, { ...none, ...rows }, isOfWallet)).toEqual(bound);
  });
});
