import type { Deposit } from "../deposit.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { isBlocked, kindOf } from "./decide-transfer.ts";
import type { PricedSum, PricedSums } from "./tally.ts";

/**
 * Maximum number of prices with stored sums. An older price returns only with its lock, and then loses less than a unit per
 * payment.
 */
const storedRatesMax = 8;

type Change = { readonly before: TransferRecord | null; readonly now: TransferRecord | null };

/**
 * Updates the sums with the changed payments that count and have a price. Deposits in the wallet's own currency have none, since
 * their amounts are whole units.
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
    // Appended last, so that the most recently used price is dropped last.
    atRate.delete(key);
    if (units > 0n) atRate.set(key, { rate, units, targetUnits });
  };
  for (const { before, now } of changes) {
    add(before, -1n);
    add(now, 1n);
  }
  return { targetUnits: total, atRate: [...atRate.values()] };
}

/** The sums at the most recently used prices only. */
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
