import { describe, expect, it } from "vitest";
import { walletType } from "../../accounts/wallets/wallet.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { decideStatus } from "../payments/decide-status.ts";
import type { Payment, StatusFacts } from "../payments/status-replay.ts";

/*
 * The status of a deposit after a refund: as if the refunded payment had never arrived, except that a deposit without other payments
 * ends. Payments are those that remain; 100 is requested by 60.
 */

const at = (second: number) => second as Instant;
const facts = (more: Partial<StatusFacts> = {}): StatusFacts => ({
  walletType: walletType.merchant,
  targetAmountRequested: 100n,
  inaccuracy: null,
  toleranceBelow: null,
  toleranceAbove: null,
  expiresAt: at(60),
  cancelledAt: null,
  expiryConcludedAt: null,
  acceptedAt: null,
  ...more,
});
const paid = (
  id: string,
  units: bigint,
  seen: number,
  confirmed: number | null = seen,
): Payment => ({
  id,
  targetUnits: units,
  firstSeenAt: at(seen),
  isConfirmed: confirmed !== null,
  confirmedAt: confirmed === null ? null : at(confirmed),
  coarseness: 0n,
  least: 0n,
  refundUndoneAt: null,
});

type Case = readonly [
  name: string,
  facts: StatusFacts,
  payments: readonly Payment[],
  status: number,
  reason: string | null,
];

const cases: readonly Case[] = [
  ["is Canceled without other payments", facts(), [], 4, "refunded"],
  ["is Canceled after it expired", facts({ expiryConcludedAt: at(61) }), [], 4, "refunded"],
  ["stays Canceled after a cancellation", facts({ cancelledAt: at(20) }), [], 4, "refunded"],
  ["is Paid again if it was paid before", facts(), [paid("1", 100n, 10)], 3, null],
  [
    "is Paid again if it was accepted before",
    facts({ acceptedAt: at(40) }),
    [paid("1", 150n, 10)],
    3,
    null,
  ],
  ["stays Created with a partial payment on time", facts(), [paid("1", 40n, 10)], 2, null],
  ["stays Created with a pending payment on time", facts(), [paid("1", 100n, 50, null)], 2, null],
  [
    "is Unresolved with a partial payment after it expired",
    facts({ expiryConcludedAt: at(61) }),
    [paid("1", 40n, 10)],
    5,
    "partial",
  ],
  ["is Unresolved with another late payment", facts(), [paid("1", 100n, 70)], 5, "late"],
  [
    "is Unresolved when the full amount arrives afterwards",
    facts({ expiresAt: null }),
    [paid("1", 100n, 90)],
    5,
    "cancelled",
  ],
  [
    "is Paid when that is accepted",
    facts({ expiresAt: null, acceptedAt: at(95) }),
    [paid("1", 100n, 90)],
    3,
    null,
  ],
];

describe("the status after a refund", () => {
  it.each(cases)("%s", (_name, of, payments, status, reason) => {
    expect(decideStatus(of, payments, [at(80)])).toMatchObject({ status, reason });
  });

  it("keeps deposits outside Merchant wallets Created", () => {
    const of = facts({ walletType: walletType.enterprise });
    expect(decideStatus(of, [], [at(80)])).toMatchObject({ status: 2, reason: null });
  });

  it("keeps a payment credited that was accepted together with one that is refunded later", () => {
    const of = facts({ acceptedAt: at(40) });
    const kept = [paid("1", 40n, 10)];
    const { status, creditable } = decideStatus(of, kept, [at(80)], true);
    expect([status, [...creditable]]).toEqual([3, ["1"]]);
    expect(decideStatus(of, kept, [at(80)], false).creditable.size).toBe(0);
  });
});
