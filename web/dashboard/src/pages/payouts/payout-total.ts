import { addDecimals } from "../../components/decimals.ts";

/** What a payout takes from the wallet: an amount for each currency that is debited. */
type Total = { readonly amount: string; readonly currency: string };

/**
 * The debits of a payout: the amount with its commission, and the network fee, which is in another currency for tokens and already part
 * of the amount where it is deducted. `fee` null: there is none. Empty while the amount is not a decimal.
 */
export function payoutTotals(payout: {
  readonly amount: string;
  readonly currency: string;
  readonly commission: string;
  readonly fee: string | null;
  readonly feeCurrency: string;
  readonly isFeeIncluded: boolean;
}): readonly Total[] {
  const { currency, fee, feeCurrency } = payout;
  const amount = addDecimals(payout.amount, payout.commission);
  if (amount === null) return [];
  if (fee === null || payout.isFeeIncluded) return [{ amount, currency }];
  if (feeCurrency !== currency)
    return [
      { amount, currency },
      { amount: fee, currency: feeCurrency },
    ];
  return [{ amount: addDecimals(amount, fee) ?? amount, currency }];
}
