import { describe, expect, it } from "vitest";
import { walletType } from "../../accounts/wallets/wallet.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { decideStatus } from "../payments/decide-status.ts";
import type { Payment, StatusFacts } from "../payments/status-replay.ts";

/*
 * What a deposit comes to when money of it was paid back: as if that money had never come, but that a deposit with nothing else
 * ends. Payments are those that stay; 100 is requested by 60.
 */

const at = (second: number) => second as Instant;
const facts = (more: Partial<StatusFacts> = {}): StatusFacts => ({
  walletType: walletType.merchant,
  targetAmountRequested: 100n,
  inaccuracy: null,
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
  ["nothing else came: it ends", facts(), [], 4, "refunded"],
  ["its time had run out: it ends", facts({ expiryConcludedAt: at(61) }), [], 4, "refunded"],
  ["it was cancelled: it stays so", facts({ cancelledAt: at(20) }), [], 4, "refunded"],
  ["it was paid before: Paid again", facts(), [paid("1", 100n, 10)], 3, null],
  [
    "it was accepted before: Paid again",
    facts({ acceptedAt: at(40) }),
    [paid("1", 150n, 10)],
    3,
    null,
  ],
  ["a part came in time: it waits on", facts(), [paid("1", 40n, 10)], 2, null],
  ["one seen in time is pending: it waits on", facts(), [paid("1", 100n, 50, null)], 2, null],
  [
    "a part came in time, and the time is over: that part waits",
    facts({ expiryConcludedAt: at(61) }),
    [paid("1", 40n, 10)],
    5,
    "partial",
  ],
  ["another late one stays: it waits", facts(), [paid("1", 100n, 70)], 5, "late"],
  [
    "the whole amount comes afterwards: it waits",
    facts({ expiresAt: null }),
    [paid("1", 100n, 90)],
    5,
    "cancelled",
  ],
  [
    "it is accepted afterwards: Paid",
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
});
