import { isDeepStrictEqual } from "node:util";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { type Posting, postingsBetween } from "../../ledger/posting.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { multiplyByRate } from "../../platform/kernel/rate.ts";
import { type Deposit, type DepositSums, noSums } from "../deposit.ts";
import { isLockedAt } from "../transfers/chain-tip.ts";
import { isRefundedInFull, type TransferRecord, unrefundedPart } from "../transfers/transfer.ts";
import { type Announcement, announceStatus, announceTransfer } from "./announce.ts";
import { continueStatus, type PaymentChange } from "./continue-status.ts";
import { decideStatus } from "./decide-status.ts";
import {
  advance,
  conclude,
  isBlocked,
  type Kind,
  kindOf,
  withoutNeedlessScreening,
} from "./decide-transfer.ts";
import { positionsOf } from "./positions.ts";
import { changePriced, newestPriced } from "./priced-sums.ts";
import type { Payment, StatusDecision } from "./status-replay.ts";
import { nothingPriced, type PricedSums } from "./tally.ts";
import { leastPayableOf } from "./tolerance.ts";

/** A transfer as stored (null if it is not stored yet), and as it is now, with new facts or decisions. */
export type TransferChange = {
  readonly before: TransferRecord | null;
  readonly now: TransferRecord;
};

/** Whether another node has to confirm a transfer before its funds become available. */
export type NeedsOpinion = (
  transfer: Pick<TransferRecord, "chain" | "currency" | "units">,
) => boolean;

export type DepositDecision = {
  /** The same object as the input when it did not change; this also holds for each of `transfers`. */
  readonly deposit: Deposit;
  readonly transfers: readonly TransferRecord[];
  /** Those of `transfers` that differ from their stored state. */
  readonly changedTransfers: readonly TransferRecord[];
  readonly postings: readonly {
    readonly transferId: string;
    readonly postings: readonly Posting[];
  }[];
  readonly announcements: readonly Announcement[];
};

type DecisionContext = {
  readonly currencies: CurrencyRegistry;
  /** Height of the best chain that is followed; null before its first block. */
  readonly tipOf: (chain: string) => number | null;
  /** Height of the newest block that the chain's network has locked; null where there is none. */
  readonly lockedOf: (chain: string) => number | null;
  readonly needsOpinion: NeedsOpinion;
  readonly now: Instant;
};

/**
 * Decides what follows when a deposit or its transfers change. Pure: state, postings and callbacks are returned together and
 * written together. For a Merchant wallet's deposit it needs all payments, since the status is a function of all of them; for
 * other deposits the changed ones are enough.
 */
export function decideDeposit(
  before: Deposit,
  changed: Deposit,
  changes: readonly TransferChange[],
  context: DecisionContext,
): DepositDecision {
  const advanced = advanceAll(changed, changes, context);
  const payments = advanced.filter(isCounting).map(({ transfer }) => transfer);
  const refunded = advanced.filter(
    ({ transfer, kind }) =>
      kind === "payment" && !isBlocked(transfer) && isRefundedInFull(transfer),
  );
  const status = decideStatus(
    changed,
    payments.map((payment) => asPayment(payment, changed, context.currencies)),
    refunded.flatMap(({ transfer: { refund } }) => (refund === null ? [] : [refund.at])),
    refunded.some(({ transfer }) => wasSeenByAccepter(transfer, changed)),
  );
  const all = advanced.map(({ transfer }) => ({ before: null, now: transfer }));
  const priced = changePriced(nothingPriced, all, changed);
  return concludeAll(before, changed, advanced, status, priced, context);
}

/** Whether a payment that is refunded now was there when the user accepted the deposit. */
function wasSeenByAccepter(
  { refund, firstSeenAt }: TransferRecord,
  { acceptedAt }: Deposit,
): boolean {
  return (
    refund !== null && acceptedAt !== null && firstSeenAt <= acceptedAt && refund.at > acceptedAt
  );
}

/**
 * Decides the same for a Merchant wallet's deposit from the changed transfers and the tally of all others. Null if these are
 * not enough: other payments are affected, or the tally is unknown.
 */
export function continueDeposit(
  before: Deposit,
  changed: Deposit,
  changes: readonly TransferChange[],
  context: DecisionContext,
): DepositDecision | null {
  const { tally } = before;
  if (tally === null || !isSameToStatus(before, changed)) return null;
  if (changes.some((change) => change.before?.refund != null || change.now.refund !== null)) {
    return null;
  }
  const advanced = advanceAll(changed, changes, context);
  const status = continueStatus(
    changed,
    tally.standing,
    advanced.map((transfer) => ({
      before: storedPayment(transfer, changed, context.currencies),
      now: isCounting(transfer) ? asPayment(transfer.transfer, changed, context.currencies) : null,
    })),
  );
  if (status === null) return null;
  const priced = changePriced(
    tally.priced,
    advanced.map(({ stored, transfer }) => ({ before: stored, now: transfer })),
    changed,
  );
  return concludeAll(before, changed, advanced, status, priced, context);
}

/** Whether a deposit's status is unaffected by the change of its own facts. */
function isSameToStatus(before: Deposit, changed: Deposit): boolean {
  return (
    before.cancelledAt === changed.cancelledAt &&
    before.acceptedAt === changed.acceptedAt &&
    before.expiresAt === changed.expiresAt &&
    before.expiryConcludedAt === changed.expiryConcludedAt
  );
}

type Advanced = {
  readonly stored: TransferRecord | null;
  readonly transfer: TransferRecord;
  readonly kind: Kind;
};

function advanceAll(
  changed: Deposit,
  changes: readonly TransferChange[],
  context: DecisionContext,
): readonly Advanced[] {
  return changes.map(({ before: stored, now }) => {
    const currency = now.currency === null ? null : context.currencies.get(now.currency);
    const ownCount = currency?.confirmationBlocks ?? 1;
    const kind = kindOf(now, changed);
    const known = withoutNeedlessScreening(now, kind);
    const transfer = advance(
      known,
      changed,
      ownCount,
      context.tipOf(now.chain),
      context.now,
      kind !== "dust" && context.needsOpinion(known),
      isLockedAt(known.block, context.lockedOf(now.chain)),
    );
    return { stored, transfer, kind };
  });
}

/** Whether the transfer is a payment that counts for the deposit's status. */
function isCounting({ transfer, kind }: Pick<Advanced, "transfer" | "kind">): boolean {
  return (
    kind === "payment" &&
    !isBlocked(transfer) &&
    !transfer.isCancelled &&
    !isRefundedInFull(transfer)
  );
}

function asPayment(
  transfer: TransferRecord,
  deposit: Deposit,
  currencies: CurrencyRegistry,
): Payment {
  return {
    ...transfer,
    targetUnits: transfer.judged?.targetUnits ?? transfer.targetUnits,
    coarseness: coarsenessOf(transfer, deposit, currencies),
    least: leastPayableOf(deposit, transfer.judged?.rate ?? transfer.rate, currencies),
    refundUndoneAt: transfer.undoneRefund?.undoneAt ?? null,
  };
}

/** The payment before the change, and why it was on hold. */
function storedPayment(
  { stored, kind }: Advanced,
  deposit: Deposit,
  currencies: CurrencyRegistry,
): PaymentChange["before"] {
  if (stored === null || !isCounting({ transfer: stored, kind })) return null;
  const hold = stored.disposition === "unresolved" ? stored.reason : null;
  return { ...asPayment(stored, deposit, currencies), hold };
}

function concludeAll(
  before: Deposit,
  changed: Deposit,
  advanced: readonly Advanced[],
  decision: StatusDecision,
  priced: PricedSums,
  context: DecisionContext,
): DepositDecision {
  const outcomes: readonly TransferChange[] = advanced.map(({ stored, transfer, kind }) => {
    const hold = decision.holds.get(transfer.id) ?? null;
    const concluded = conclude(transfer, kind, hold, decision.creditable.has(transfer.id));
    return { before: stored, now: stampTransfer(stored, concluded, context.now) };
  });
  const statusChanged = decision.status !== before.status;
  const outcome: Deposit = {
    ...changed,
    status: decision.status,
    statusReason: decision.reason,
    statusVersion: before.statusVersion + Number(statusChanged),
    sums: changedSums(before.sums, outcomes),
    assets: changedAssets(before.assets, outcomes),
    blockedPayments: changedBlocked(before.blockedPayments, outcomes),
    tally:
      decision.standing === null
        ? null
        : { standing: decision.standing, priced: newestPriced(priced) },
  };
  const deposit = stampDeposit(before, outcome, context.now);
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

/** The tally is internal: a change of the tally alone does not move `updatedAt`. */
function stampDeposit(before: Deposit, outcome: Deposit, now: Instant): Deposit {
  if (isDeepStrictEqual(before, outcome)) return before;
  const isNew = !isDeepStrictEqual({ ...before, tally: null }, { ...outcome, tally: null });
  return isNew ? { ...outcome, updatedAt: now } : outcome;
}

/**
 * The requested amount is rounded up to a unit of the payment currency. If that unit is worth more than one of the wallet's,
 * nobody can pay the exact amount, and paying the requested amount is not an overpayment.
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

/** Returns the stored transfer if nothing changed. `updatedAt` moves only when something visible to a reader has changed. */
function stampTransfer(before: TransferRecord | null, transfer: TransferRecord, now: Instant) {
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

/** What one transfer adds to its deposit's sums. */
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
      // Blocked payments never counted as received.
      if (isBlocked(transfer)) return noSums;
      const received = transfer.isConfirmed
        ? { targetPaid: transfer.targetUnits, sourcePaid: transfer.units }
        : { targetPaidPending: transfer.targetUnits, sourcePaidPending: transfer.units };
      const credited =
        transfer.disposition === "credited"
          ? {
              enrolled: unrefundedPart(transfer).targetUnits - transfer.targetCommissionUnits,
              commission: transfer.targetCommissionUnits,
              sourceCommission: transfer.commissionUnits,
            }
          : {};
      return { ...noSums, ...received, ...credited };
    }
  }
}

function changedBlocked(count: number, changes: readonly TransferChange[]): number {
  const blocked = (transfer: TransferRecord | null): number =>
    Number(transfer?.disposition === "blocked");
  return changes.reduce((sum, { before, now }) => sum + blocked(now) - blocked(before), count);
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
