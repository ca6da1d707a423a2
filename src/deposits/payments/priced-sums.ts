import type { Deposit } from "../deposit.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { isBlocked, kindOf } from "./decide-transfer.ts";
import type { PricedSum, PricedSums } from "./tally.ts";

/** Prices whose sums are stored: a price that is this old comes back only as a lock's, and loses less than a unit per payment. */
const storedRatesMax = 8;

type Change = { readonly before: TransferRecord | null; readonly now: TransferRecord | null };

/**
 * The sums with what changed: the payments that count and have a price. Deposits in the wallet's own currency have none, since
 * there every amount is worth whole units.
 */
export function changePriced(
  sums: PricedSums,
  changes: readonly Change[],
  deposit: Pick<Deposit, "currency" | "walletCurrency">,
): PricedSums {
  if (deposit.currency === deposit.walletCurrency) return sums;
  let total = sums.targetUnits;
  const atRate = new Map(sums.atRate.map((sum) => [keyOf(sum), sum]));
  const add = (transfer: TransferRecord | null, sign: bigint): void => {
    if (transfer === null || transfer.rate === null || !isPriced(transfer, deposit)) return;
    const { rate } = transfer;
    const key = keyOf({ rate });
    const known = atRate.get(key);
    const units = (known?.units ?? 0n) + sign * transfer.units;
    const targetUnits = (known?.targetUnits ?? 0n) + sign * transfer.targetUnits;
    total += sign * transfer.targetUnits;
    // Behind the others: the price that was used last is kept longest.
    atRate.delete(key);
    if (units > 0n) atRate.set(key, { rate, units, targetUnits });
  };
  for (const { before, now } of changes) {
    add(before, -1n);
    add(now, 1n);
  }
  return { targetUnits: total, atRate: [...atRate.values()] };
}

/** Only the sums at the prices that were used last. */
export function newestPriced({ targetUnits, atRate }: PricedSums): PricedSums {
  return { targetUnits, atRate: atRate.slice(-storedRatesMax) };
}

function isPriced(transfer: TransferRecord, deposit: Pick<Deposit, "currency">): boolean {
  return (
    !transfer.isCancelled &&
    transfer.refund === null &&
    !isBlocked(transfer) &&
    kindOf(transfer, deposit) === "payment"
  );
}

function keyOf({ rate }: Pick<PricedSum, "rate">): string {
  return `${rate.units} ${rate.exp}`;
}
