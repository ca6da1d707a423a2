import type { FindRate } from "../../currencies/rates/current-rate.ts";
import { noFreshRate } from "../../currencies/rates/no-fresh-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { multiplyByRate, type Rate } from "../../platform/kernel/rate.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { Deposit } from "../deposit.ts";
import { isBlocked, kindOf } from "../payments/decide-transfer.ts";
import { rateLockAt } from "../payments/rate-lock.ts";
import { isOffChain, type TransferRecord } from "../transfers/transfer.ts";

/** A deposit and payments to it. */
type Facts = { readonly deposit: Deposit; readonly transfers: readonly TransferRecord[] };

/**
 * When decisions start to value a payment at the current bid: at the end of the lock that valued it, or at once if no lock did.
 * Null: the payment is in the wallet's currency, or has no value yet.
 */
export function revaluedFrom(transfer: TransferRecord, deposit: Deposit): Instant | null {
  if (deposit.currency === deposit.walletCurrency || transfer.rate === null) return null;
  if (kindOf(transfer, deposit) !== "payment") return null;
  const valuedAt = transfer.revaluedAt ?? transfer.firstSeenAt;
  const lock =
    isOffChain(transfer) || transfer.judged !== null ? null : rateLockAt(deposit, valuedAt);
  return lock === null ? valuedAt : lock.until;
}

/** Whether a decision made now revalues a payment. */
export function needsRevaluation(
  transfer: TransferRecord,
  deposit: Deposit,
  now: Instant,
): boolean {
  const from = revaluedFrom(transfer, deposit);
  return from !== null && from < now;
}

/** Whether crediting a payment requires a decision, or happens together with one made now. */
function waits(transfer: TransferRecord): boolean {
  const { disposition, isCancelled, refund } = transfer;
  if (isCancelled || refund !== null || isBlocked(transfer)) return false;
  return disposition === "unresolved" || disposition === "pending";
}

/**
 * The bid at which a decision made now values the funds on hold in a deposit; null if all of them keep their value. Rejects
 * with rateUnavailable without a fresh price.
 */
export async function bidForDecision(
  { findRate, currencies }: { readonly findRate: FindRate; readonly currencies: CurrencyRegistry },
  { deposit, transfers }: Facts,
  now: Instant,
): Promise<Rate | null> {
  const isNeeded = transfers.some(
    (transfer) => waits(transfer) && needsRevaluation(transfer, deposit, now),
  );
  if (!isNeeded || deposit.currency === null) return null;
  const found = await findRate(deposit.currency, deposit.walletCurrency);
  if (found !== null) return found.bid;
  const pair = [currencies.get(deposit.currency), currencies.get(deposit.walletCurrency)] as const;
  return reject("rateUnavailable", noFreshRate(...pair));
}

/**
 * The funds on hold, valued at `bid` where their own value has expired: value rounded down, the commission in the wallet's
 * currency rounded up. The previous value stays recorded, since it determines the deposit's status.
 */
export function revalueWaiting(
  { deposit, transfers }: Facts,
  bid: Rate | null,
  now: Instant,
  currencies: CurrencyRegistry,
): readonly TransferRecord[] {
  if (bid === null) return transfers;
  return transfers.map((transfer) =>
    waits(transfer) && needsRevaluation(transfer, deposit, now)
      ? valuedAt(transfer, deposit, bid, currencies)
      : transfer,
  );
}

/** A payment revalued at another bid; the previous value stays recorded, since it determines the deposit's status. */
export function valuedAt(
  transfer: TransferRecord,
  deposit: Deposit,
  bid: Rate,
  currencies: CurrencyRegistry,
): TransferRecord {
  const { rate, currency, units, targetUnits, commissionUnits } = transfer;
  if (rate === null || currency === null) return transfer;
  const [from, to] = [currencies.get(currency), currencies.get(deposit.walletCurrency)];
  const worth = (part: bigint): bigint => multiplyByRate(part, from.exp, bid, to.exp, "down");
  return {
    ...transfer,
    rate: bid,
    targetUnits: worth(units),
    targetCommissionUnits: worth(units) - worth(units - commissionUnits),
    judged: transfer.judged ?? { rate, targetUnits },
  };
}
