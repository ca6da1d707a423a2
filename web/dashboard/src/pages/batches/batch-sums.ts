import type { PayoutBatchPreview } from "../../../../../client/src/api-types.gen.ts";
import { type ById, codeOf, type KnownCurrency } from "../../api/lookups.ts";
import { addDecimals } from "../../components/decimals.ts";
import { coinOf } from "./batch-values.ts";

/** What the payouts of a batch cost; amounts in decimal texts. */
export type BatchSums = Pick<
  PayoutBatchPreview["attributes"],
  "amount" | "commission" | "fees" | "fee_currency"
>;

/** All that a batch costs, with commission and network fees, per currency. `currency` is the ID of the payment currency. */
export function batchTotals(
  sums: BatchSums,
  currency: string,
  currencies: ById<KnownCurrency>,
): readonly {
  readonly code: string | null;
  readonly currency: string;
  readonly amount: string | null;
}[] {
  const code = codeOf(currencies, currency);
  const coin = coinOf(currencies, currency);
  const charged = addDecimals(sums.amount, sums.commission);
  return coin === null || coin === currency
    ? [{ code, currency, amount: addDecimals(charged ?? "", sums.fees) }]
    : [
        { code, currency, amount: charged },
        { code: sums.fee_currency, currency: coin, amount: sums.fees },
      ];
}
