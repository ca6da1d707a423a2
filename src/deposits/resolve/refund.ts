import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { commissionOf } from "../../ledger/commission.ts";
import type { Executor } from "../../platform/db/database.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { divide } from "../../platform/kernel/rounding.ts";
import type { Deposit } from "../deposit.ts";
import { decisionInstant } from "../payments/decision-instant.ts";
import { type DepositContext, type Facts, reconsider } from "../payments/reconsider.ts";
import { isRefundedInFull, type TransferRecord, unrefundedPart } from "../transfers/transfer.ts";
import { insertRefund } from "./refund.store.ts";
import { isHeldByScreening, isUnresolved, notFinal, type Refundable } from "./refundable.ts";
import { revalueWaiting } from "./revalue-transfers.ts";

/** The payout of a refund, and what it charges the wallet, in units of the wallet's currency. */
export type RefundPayout = { readonly payoutId: string; readonly targetUnits: bigint };

/**
 * Credits the wallet with what a refund payout of the same transaction charges, without commission, so that the wallet's balance
 * does not change, and settles the payments. A deposit without other payments becomes Canceled, a paid one Paid again. The kept
 * part of a partial refund is credited as any payment, and the deposit becomes Paid.
 * Rejects with invalidValue if the payments were resolved in the meantime or are not final.
 */
export async function refund(
  tx: Executor,
  context: DepositContext,
  money: Refundable,
  by: RefundPayout,
  now: Instant,
): Promise<void> {
  const { depositId, paidBack } = money;
  const transferIds = [...paidBack.keys()];
  const [decision] = await reconsider(
    tx,
    context,
    { depositIds: [depositId], transferIds, tips: new Map(), now, isWhole: true },
    (facts) => markRefunded(facts, money, by, now, context.currencies),
  );
  const { deposit, transfers } = present(decision, `decision on deposit ${depositId}`);
  await insertRefund(tx, { accountId: deposit.accountId, depositId, payoutId: by.payoutId });
  const settled = transfers.filter(({ id }) => paidBack.has(id));
  const isFinal = (transfer: TransferRecord): boolean =>
    transfer.disposition === (isRefundedInFull(transfer) ? "refunded" : "credited");
  if (!settled.every(isFinal)) reject("invalidValue", notFinal);
}

function markRefunded(
  facts: Facts,
  money: Refundable,
  by: RefundPayout,
  now: Instant,
  currencies: CurrencyRegistry,
): Facts {
  const { deposit } = facts;
  // A full refund has no bid: it is credited what its payout charges.
  const transfers = revalueWaiting(facts, money.bid, now, currencies);
  const { paidBack, accepted } = money;
  const chosen = transfers.filter(({ id }) => paidBack.has(id));
  const isStillThere =
    chosen.length === paidBack.size &&
    chosen.every((transfer) => isUnresolved(transfer) || isHeldByScreening(transfer)) &&
    (accepted === null || isAllThatWaits(accepted, transfers));
  if (!isStillThere) reject("invalidValue", "This payment has already been resolved.");
  const at = decisionInstant(transfers, now);
  const shares = sharesOf(money, by.targetUnits);
  return {
    deposit: accepted !== null ? { ...deposit, acceptedAt: at } : deposit,
    transfers: transfers.map((transfer) => {
      const units = paidBack.get(transfer.id);
      const targetUnits = shares.get(transfer.id);
      return units === undefined || targetUnits === undefined
        ? transfer
        : withCommissionOnRest(
            {
              ...transfer,
              refund: { at, payoutId: by.payoutId, units, targetUnits },
              undoneRefund: null,
            },
            deposit,
          );
    }),
  };
}

/** Payments that arrived after the decision was prepared are not part of it. */
function isAllThatWaits(ids: readonly string[], transfers: readonly TransferRecord[]): boolean {
  const waiting = transfers.filter(isUnresolved);
  return waiting.length === ids.length && waiting.every(({ id }) => ids.includes(id));
}

/** A refunded payment with the commission on its kept part; none if nothing is kept. */
export function withCommissionOnRest(transfer: TransferRecord, deposit: Deposit): TransferRecord {
  if (isRefundedInFull(transfer)) {
    return { ...transfer, commissionUnits: 0n, targetCommissionUnits: 0n };
  }
  const kept = unrefundedPart(transfer);
  const commissionUnits = commissionOf(kept.units, deposit.commissionTerms);
  const targetCommissionUnits = divide(kept.targetUnits * commissionUnits, kept.units, "up");
  return { ...transfer, commissionUnits, targetCommissionUnits };
}

/** Splits the payout's charge over the payments in proportion, rounded down; the last one takes the remainder. */
function sharesOf(
  { paidBack, units }: Pick<Refundable, "paidBack" | "units">,
  targetUnits: bigint,
): ReadonlyMap<string, bigint> {
  assert(units > 0n, "nothing to refund");
  let left = targetUnits;
  return new Map(
    [...paidBack].map(([id, part], index) => {
      const isLast = index === paidBack.size - 1;
      const share = isLast ? left : divide(targetUnits * part, units, "down");
      left -= share;
      return [id, share];
    }),
  );
}
