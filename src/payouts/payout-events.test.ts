import { expect, it } from "vitest";
import { testCurrencies } from "../../test/support/deposit-world.ts";
import { newPayout } from "../../test/support/payout-records.ts";
import type { Payout, PayoutStage } from "./payout.ts";
import { payoutEvents } from "./payout-events.ts";
import { transferOfPayout } from "./payout-transfer.ts";

/* Which of a payout's events members are notified of. */

const kindsOf = (from: PayoutStage, to: PayoutStage) => {
  const before: Payout = newPayout({ stage: from });
  const after: Payout = newPayout({ stage: to });
  const events = payoutEvents(
    { before, after },
    transferOfPayout(after),
    testCurrencies,
    null,
    "Landlord",
    after.updatedAt,
  );
  return events.flatMap(({ notice }) => (notice == null ? [] : [notice.event.kind]));
};

it.each([
  ["held", "failed", ["payout_failed"]],
  ["held", "blocked", ["payout_held"]],
  ["failed", "failed", []],
  ["held", "sending", []],
] as const)("notifies members of a payout that goes from %s to %s: %j", (from, to, kinds) => {
  expect(kindsOf(from, to)).toEqual(kinds);
});
