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
import { isRefundedInFull, unrefundedPart, type TransferRecord } from "../transfers/transfer.ts";
import { insertRefund } from "./refund.store.ts";
import { isHeldByScreening, isUnresolved, notFinal, type Refundable } from "./refundable.ts";
import { revalueWaiting } from "./revalue-transfers.ts";

/** The payout that pays it back, and what that charges the wallet for it, units of the wallet's currency. */
export type RefundPayout = { readonly payoutId: string; readonly targetUnits: bigint };

/**
 * Credits the wallet with money that a payout of the same transaction pays back, at what that payout charges and without
 * commission, and settles what waited for it: the wallet is neither richer nor poorer. A deposit that has nothing else is
 * Canceled then; one that had been paid is Paid again. Where a part stays, it is credited as any payment, and the deposit is Paid.
 * Rejects with invalidValue where the money was decided on meanwhile, or is not final.
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
  // Without a bid nothing changes: what goes back whole is credited what its payout charges.
  const transfers = revalueWaiting(facts, money.bid, now, currencies);
  const { paidBack, accepted } = money;
  const chosen = transfers.filter(({ id }) => paidBack.has(id));
  const isStillThere =
    chosen.length === paidBack.size &&
    chosen.every((transfer) => isUnresolved(transfer) || isHeldByScreening(transfer)) &&
    (accepted === null || isAllThatWaits(accepted, transfers));
  if (!isStillThere) reject("invalidValue", "It was decided on this money meanwhile.");
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

/** Money that came meanwhile was not decided about. */
function isAllThatWaits(ids: readonly string[], transfers: readonly TransferRecord[]): boolean {
  const waiting = transfers.filter(isUnresolved);
  return waiting.length === ids.length && waiting.every(({ id }) => ids.includes(id));
}

/** A payment of which a part is kept, with the commission on that part. */
export function withCommissionOnRest(transfer: TransferRecord, deposit: Deposit): TransferRecord {
  if (isRefundedInFull(transfer)) return transfer;
  const kept = unrefundedPart(transfer);
  const commissionUnits = commissionOf(kept.units, deposit.commissionTerms);
  const targetCommissionUnits = divide(kept.targetUnits * commissionUnits, kept.units, "up");
  return { ...transfer, commissionUnits, targetCommissionUnits };
}

/** Splits what the payout charges over the payments, each by its part, rounded down; the last one takes what remains. */
function sharesOf(
  { paidBack, units }: Pick<Refundable, "paidBack" | "units">,
  targetUnits: bigint,
): ReadonlyMap<string, bigint> {
  assert(units > 0n, "nothing to pay back");
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
