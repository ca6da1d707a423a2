import type { CurrentRate, FindRate } from "../../currencies/rates/current-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { commissionOf } from "../../ledger/commission.ts";
import { present } from "../../platform/kernel/assert.ts";
import { maxBigInt, minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import { multiplyByRate, type Rate, rateOfOne } from "../../platform/kernel/rate.ts";
import type { Deposit } from "../deposit.ts";
import { isOffChain, type TransferRecord } from "../transfers/transfer.ts";
import { kindOf } from "./decide-transfer.ts";
import { changePriced } from "./priced-sums.ts";
import { rateLockedAt } from "./rate-lock.ts";
import type { PricedSum, PricedSums } from "./tally.ts";

/** Current prices by `left right`; null without a fresh one. */
export type Prices = ReadonlyMap<string, CurrentRate | null>;

type Priced = { readonly deposit: Deposit; readonly transfers: readonly TransferRecord[] };

/** Looks up the prices that unpriced transfers of these deposits may need. */
export async function findPrices(
  facts: readonly Priced[],
  context: { readonly findRate: FindRate },
): Promise<Prices> {
  const pairs = new Map<string, Deposit>();
  for (const { deposit, transfers } of facts) {
    const isNeeded =
      deposit.currency !== deposit.walletCurrency &&
      transfers.some((transfer) => transfer.rate === null);
    if (isNeeded) pairs.set(pairOf(deposit), deposit);
  }
  const entries = [...pairs].map(async ([pair, deposit]): Promise<[string, CurrentRate | null]> => {
    return [
      pair,
      deposit.currency === null
        ? null
        : await context.findRate(deposit.currency, deposit.walletCurrency),
    ];
  });
  return new Map(await Promise.all(entries));
}

function pairOf(deposit: Deposit): string {
  return `${deposit.currency ?? ""} ${deposit.walletCurrency}`;
}

/**
 * The given transfers, priced if a price is available now. Later payments make up for the rounding loss of earlier ones.
 * `priced` sums up the deposit's other payments.
 */
export function priceTransfers(
  { deposit, transfers }: Priced,
  prices: Prices,
  context: { readonly currencies: CurrencyRegistry },
  priced: PricedSums,
): readonly TransferRecord[] {
  const known = transfers.map((now) => ({ before: null, now }));
  let others = changePriced(priced, known, deposit);
  return transfers.map((transfer) => {
    if (transfer.rate !== null) return transfer;
    const now = priceTransfer(transfer, deposit, others, prices, context);
    others = changePriced(others, [{ before: null, now }], deposit);
    return now;
  });
}

/**
 * Prices a transfer in the wallet's currency: at the rate lock in force when the payment was first seen (or revalued, by which
 * time the lock may have expired), by default at the current bid. An internal payment has no lock, because its payer could choose
 * the better of two prices. Its value is rounded down, the commission up. If the rounding loss of the deposit's other payments
 * adds up to a whole unit, that unit is added, so that a payer who pays the requested amount in parts has paid it in full (see
 * `madeGood`). Without a fresh price the transfer stays unpriced and is not credited.
 */
function priceTransfer(
  transfer: TransferRecord,
  deposit: Deposit,
  others: PricedSums,
  prices: Prices,
  context: { readonly currencies: CurrencyRegistry },
): TransferRecord {
  const currency = transfer.currency === null ? null : context.currencies.get(transfer.currency);
  if (currency === null || kindOf(transfer, deposit) !== "payment") {
    return { ...transfer, rate: rateOfOne };
  }
  const rate = rateFor(transfer, deposit, prices);
  if (rate === null) return transfer;
  const targetExp = context.currencies.get(deposit.walletCurrency).exp;
  const worth = (units: bigint): bigint =>
    multiplyByRate(units, currency.exp, rate, targetExp, "down");
  const ownWorth = worth(transfer.units);
  return {
    ...transfer,
    rate,
    targetUnits:
      ownWorth +
      repaid(
        { units: transfer.units, targetUnits: ownWorth, rate },
        others,
        deposit.targetAmountRequested,
        worth,
      ),
    ...commissionAt(rate, transfer, deposit, context.currencies),
  };
}

/** The commission on the whole payment, and its value in the wallet's currency at the payment's own price, rounded up. */
export function commissionAt(
  rate: Rate,
  { units, currency }: Pick<TransferRecord, "units" | "currency">,
  deposit: Pick<Deposit, "walletCurrency" | "commissionTerms">,
  currencies: CurrencyRegistry,
): Pick<TransferRecord, "commissionUnits" | "targetCommissionUnits"> {
  const { exp } = currencies.get(present(currency, "currency of a payment"));
  const targetExp = currencies.get(deposit.walletCurrency).exp;
  const worth = (part: bigint): bigint => multiplyByRate(part, exp, rate, targetExp, "down");
  const commissionUnits = commissionOf(units, deposit.commissionTerms);
  return { commissionUnits, targetCommissionUnits: worth(units) - worth(units - commissionUnits) };
}

/**
 * The rounding loss of the payments at this rate: their value together less the sum of their values, but no more than completes
 * the requested amount. The payment page computes the missing amount without it and rounds up, so a payer who pays that amount
 * must not count as overpaying.
 */
function repaid(
  own: PricedSum,
  others: PricedSums,
  requested: bigint | null,
  worth: (units: bigint) => bigint,
): bigint {
  const alike = others.atRate.find(
    ({ rate }) => rate.units === own.rate.units && rate.exp === own.rate.exp,
  );
  const together = own.units + (alike?.units ?? 0n);
  const lost = worth(together) - own.targetUnits - (alike?.targetUnits ?? 0n);
  const missing = requested === null ? lost : requested - own.targetUnits - others.targetUnits;
  return maxBigInt(0n, minBigInt(lost, missing));
}

function rateFor(transfer: TransferRecord, deposit: Deposit, prices: Prices): Rate | null {
  if (deposit.currency === deposit.walletCurrency) return rateOfOne;
  const lock = isOffChain(transfer)
    ? null
    : rateLockedAt(deposit, transfer.revaluedAt ?? transfer.firstSeenAt);
  return lock ?? prices.get(pairOf(deposit))?.bid ?? null;
}
