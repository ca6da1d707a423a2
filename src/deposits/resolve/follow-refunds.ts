import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Deposit } from "../deposit.ts";
import { isBlocked } from "../payments/decide-transfer.ts";
import { decisionInstant } from "../payments/decision-instant.ts";
import { commissionAt } from "../payments/price-transfer.ts";
import { type DepositContext, type Facts, reconsider } from "../payments/reconsider.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { findRefundedPayments, lockRefundedDeposits, type PayoutKey } from "./refund.store.ts";
import { withCommissionOnRest } from "./refund.ts";
import { needsRevaluation } from "./revalue-transfers.ts";

/** A payout that released its funds, or (`isReleased` false) charges the wallet again after releasing them. */
type Outcome = PayoutKey & { readonly isReleased: boolean };

/** Keeps refunds consistent with their payouts: see `RefundListener` in `payouts`. */
export function createRefundKeeper(context: DepositContext) {
  return {
    lock: (tx: Executor, payouts: readonly { readonly accountId: string; readonly id: string }[]) =>
      lockRefundedDeposits(
        tx,
        payouts.map(({ accountId, id }) => ({ accountId, payoutId: id })),
      ),
    applyOutcomes: (tx: Executor, outcomes: readonly Outcome[], now: Instant) =>
      followRefunds(tx, context, outcomes, now),
  };
}

async function followRefunds(
  tx: Executor,
  context: DepositContext,
  outcomes: readonly Outcome[],
  now: Instant,
): Promise<void> {
  if (outcomes.length === 0) return;
  const payments = await findRefundedPayments(tx, outcomes);
  const isReleased = new Map(outcomes.map((outcome) => [outcome.payoutId, outcome.isReleased]));
  await reconsider(
    tx,
    context,
    {
      depositIds: payments.map(({ depositId }) => depositId),
      transferIds: payments.map(({ transferId }) => transferId),
      tips: new Map(),
      now,
      isWhole: true,
    },
    (facts) => {
      const undoneAt = latest(decisionInstant(facts.transfers, now), facts.deposit.acceptedAt);
      return mapTransfers(facts, (transfer) => {
        const { refund, undoneRefund } = transfer;
        if (refund !== null && isReleased.get(refund.payoutId) === true) {
          return undo(transfer, undoneAt, facts.deposit, context);
        }
        return undoneRefund !== null && isReleased.get(undoneRefund.payoutId) === false
          ? redo(transfer, facts.deposit)
          : transfer;
      });
    },
  );
}

/**
 * The payment as it was before the refund, even if a partial acceptance had revalued it. A blocked payment never counted, and
 * does not count until it is released.
 */
function undo(
  transfer: TransferRecord,
  undoneAt: Instant,
  deposit: Deposit,
  { currencies }: { readonly currencies: CurrencyRegistry },
): TransferRecord {
  const { refund, judged } = transfer;
  if (refund === null) return transfer;
  const rate = judged?.rate ?? transfer.rate;
  return {
    ...transfer,
    rate,
    targetUnits: judged?.targetUnits ?? transfer.targetUnits,
    judged: null,
    refund: null,
    undoneRefund: { ...refund, undoneAt },
    ...(rate === null ? {} : commissionAt(rate, transfer, deposit, currencies)),
    ...(isBlocked(transfer) ? { isConfirmed: false, confirmedAt: null, isSettled: false } : {}),
  };
}

/**
 * Restores the refund, unless the payment was accepted since: then the wallet has been credited and is charged for the payout.
 * The same applies to a partial refund that had revalued the payment, since that price was not stored: the payment stays on hold
 * for another decision.
 */
function redo(transfer: TransferRecord, deposit: Deposit): TransferRecord {
  if (transfer.undoneRefund === null) return transfer;
  const { undoneAt, ...refund } = transfer.undoneRefund;
  const wasAccepted = deposit.acceptedAt !== null && deposit.acceptedAt > undoneAt;
  if (wasAccepted || transfer.disposition === "credited") return transfer;
  const isPart = refund.units < transfer.units;
  if (isPart && needsRevaluation(transfer, deposit, refund.at)) return transfer;
  return withCommissionOnRest({ ...transfer, refund, undoneRefund: null }, deposit);
}

function mapTransfers(
  { deposit, transfers }: Facts,
  change: (transfer: TransferRecord) => TransferRecord,
): Facts {
  return { deposit, transfers: transfers.map(change) };
}

function latest(a: Instant, b: Instant | null): Instant {
  return b !== null && b > a ? b : a;
}
