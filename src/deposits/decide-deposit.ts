import { isDeepStrictEqual } from "node:util";
import type { CurrencyRegistry } from "../currencies/registry.ts";
import { assert } from "../kernel/assert.ts";
import type { Instant } from "../kernel/clock.ts";
import { multiplyByRate } from "../kernel/rate.ts";
import { type Posting, postingsBetween } from "../ledger/posting.ts";
import { isPaidBack, keptOf, type TransferRecord } from "../transfers/transfer.ts";
import { type Announcement, announceStatus, announceTransfer } from "./announce.ts";
import { decideStatus } from "./decide-status.ts";
import {
  advance,
  conclude,
  isBlocked,
  kindOf,
  withoutNeedlessScreening,
} from "./decide-transfer.ts";
import { type Deposit, type DepositSums, noSums } from "./deposit.ts";
import { positionsOf } from "./positions.ts";

/** A transfer as it is stored (null: not yet), and as it is now: with new facts, or with what follows from them. */
export type TransferChange = {
  readonly before: TransferRecord | null;
  readonly now: TransferRecord;
};

export type DepositDecision = {
  /** The very object that was given when nothing about it changed, as is each of `transfers`. */
  readonly deposit: Deposit;
  readonly transfers: readonly TransferRecord[];
  /** Those of `transfers` that are not as they are stored. */
  readonly changedTransfers: readonly TransferRecord[];
  readonly postings: readonly {
    readonly transferId: string;
    readonly postings: readonly Posting[];
  }[];
  readonly announcements: readonly Announcement[];
};

/**
 * What follows for a deposit when something about its transfers, or about itself, has changed. Pure: state, postings and
 * callbacks come out together and are written together. Deposits of Merchant wallets are given all their payments, since
 * their status is a function of all of them; for the others the changed ones are enough.
 */
export function decideDeposit(
  before: Deposit,
  changed: Deposit,
  changes: readonly TransferChange[],
  context: {
    readonly currencies: CurrencyRegistry;
    /** Height of the best chain that is being followed; null before its first block. */
    readonly tipOf: (chain: string) => number | null;
    readonly now: Instant;
  },
): DepositDecision {
  const advanced = changes.map(({ before: stored, now }) => {
    const currency = now.currency === null ? null : context.currencies.get(now.currency);
    const ownCount = currency?.confirmationBlocks ?? 1;
    const kind = kindOf(now, changed);
    const known = withoutNeedlessScreening(now, kind);
    const transfer = advance(known, changed, ownCount, context.tipOf(now.chain), context.now);
    return { stored, transfer, kind };
  });
  const payments = advanced
    .filter(({ transfer, kind }) => kind === "payment" && !isBlocked(transfer))
    .map(({ transfer }) => transfer);
  const decision = decideStatus(
    changed,
    payments
      .filter((payment) => !payment.isCancelled && !isPaidBack(payment))
      .map((payment) => ({
        ...payment,
        targetUnits: payment.judged?.targetUnits ?? payment.targetUnits,
        coarseness: coarsenessOf(payment, changed, context.currencies),
        refundUndoneAt: payment.undoneRefund?.undoneAt ?? null,
      })),
    payments.flatMap((payment) =>
      payment.refund !== null && isPaidBack(payment) ? [payment.refund.at] : [],
    ),
  );
  const outcomes: readonly TransferChange[] = advanced.map(({ stored, transfer, kind }) => {
    const hold = decision.holds.get(transfer.id) ?? null;
    const concluded = conclude(transfer, kind, hold, decision.creditable.has(transfer.id));
    return { before: stored, now: stamp(stored, concluded, context.now) };
  });
  const statusChanged = decision.status !== before.status;
  const outcome: Deposit = {
    ...changed,
    status: decision.status,
    statusReason: decision.reason,
    statusVersion: before.statusVersion + Number(statusChanged),
    sums: changedSums(before.sums, outcomes),
    assets: changedAssets(before.assets, outcomes),
  };
  const deposit = isDeepStrictEqual(before, outcome)
    ? before
    : { ...outcome, updatedAt: context.now };
  return {
    deposit,
    transfers: outcomes.map(({ now }) => now),
    changedTransfers: outcomes.flatMap((change) =>
      change.now === change.before ? [] : change.now,
    ),
    postings: outcomes.flatMap((change) => {
      const postings = postingsBetween(
        positionsOf(change.before, deposit),
        positionsOf(change.now, deposit),
      );
      return postings.length === 0 ? [] : [{ transferId: change.now.id, postings }];
    }),
    announcements: [
      ...outcomes.flatMap((change) =>
        announceTransfer(change.before, change.now, deposit, context.currencies),
      ),
      ...(statusChanged ? [announceStatus(deposit)] : []),
    ],
  };
}

/**
 * What is asked for is rounded up to a unit of the payment currency. Where that unit is worth more than one of the wallet's,
 * nobody can pay the exact amount, and paying what was asked for is no overpayment.
 */
function coarsenessOf(
  { currency, ...transfer }: TransferRecord,
  deposit: Deposit,
  currencies: CurrencyRegistry,
): bigint {
  const rate = transfer.judged?.rate ?? transfer.rate;
  if (currency === null || rate === null) return 0n;
  const walletExp = currencies.get(deposit.walletCurrency).exp;
  return multiplyByRate(1n, currencies.get(currency).exp, rate, walletExp, "up") - 1n;
}

/** The stored one where nothing is new. `updatedAt` moves only when something a reader can see has changed. */
function stamp(before: TransferRecord | null, transfer: TransferRecord, now: Instant) {
  if (before !== null && isDeepStrictEqual(before, transfer)) return before;
  const same =
    before !== null &&
    before.status === transfer.status &&
    before.disposition === transfer.disposition &&
    before.block?.hash === transfer.block?.hash &&
    before.isSettled === transfer.isSettled &&
    before.riskStatus === transfer.riskStatus;
  return same ? transfer : { ...transfer, updatedAt: now };
}

const sumNames = Object.keys(noSums) as (keyof DepositSums)[];

function changedSums(sums: DepositSums, changes: readonly TransferChange[]): DepositSums {
  const result: Record<keyof DepositSums, bigint> = { ...sums };
  for (const change of changes) {
    const before = contribution(change.before);
    const after = contribution(change.now);
    for (const name of sumNames) result[name] += after[name] - before[name];
  }
  for (const name of sumNames) assert(result[name] >= 0n, `${name} of a deposit below zero`);
  return result;
}

/** What one transfer adds to the sums of its deposit. */
function contribution(transfer: TransferRecord | null): DepositSums {
  if (transfer === null) return noSums;
  switch (transfer.disposition) {
    case "none":
    case "blocked":
    case "dust":
    case "misplaced":
      return noSums;
    case "pending":
    case "unresolved":
    case "refunded":
    case "credited": {
      // What screening held never counted as received.
      if (isBlocked(transfer)) return noSums;
      const received = transfer.isConfirmed
        ? { targetPaid: transfer.targetUnits, sourcePaid: transfer.units }
        : { targetPaidPending: transfer.targetUnits, sourcePaidPending: transfer.units };
      const credited =
        transfer.disposition === "credited"
          ? {
              enrolled: keptOf(transfer).targetUnits - transfer.targetCommissionUnits,
              commission: transfer.targetCommissionUnits,
              sourceCommission: transfer.commissionUnits,
            }
          : {};
      return { ...noSums, ...received, ...credited };
    }
  }
}

function changedAssets(
  assets: Readonly<Record<string, bigint>>,
  changes: readonly TransferChange[],
): Readonly<Record<string, bigint>> {
  const result: Record<string, bigint> = { ...assets };
  const add = (transfer: TransferRecord | null, sign: bigint): void => {
    if (transfer === null || transfer.currency === null || transfer.isCancelled) return;
    result[transfer.currency] = (result[transfer.currency] ?? 0n) + sign * transfer.units;
  };
  for (const { before, now } of changes) {
    add(before, -1n);
    add(now, 1n);
  }
  return Object.fromEntries(Object.entries(result).filter(([, units]) => units !== 0n));
}
