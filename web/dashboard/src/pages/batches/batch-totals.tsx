import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { type Detail, DetailList } from "../../components/detail-list.tsx";
import { t } from "../../language/t.ts";
import { FiatText } from "../wallets/fiat-text.tsx";
import { useFiatSum } from "../wallets/use-fiat-sum.ts";
import { type BatchSums, batchTotals } from "./batch-sums.ts";

/** What a batch costs: the sums, the totals per currency, and their value at current prices. */
export function BatchTotals({
  sums,
  currency,
  details,
}: {
  readonly sums: BatchSums;
  /** The ID of the payment currency. */
  readonly currency: string;
  /** Shown above the sums. */
  readonly details: readonly Detail[];
}) {
  const currencies = useCurrencies();
  const code = codeOf(currencies, currency);
  const totals = batchTotals(sums, currency, currencies);
  const worth = useFiatSum(totals);
  return (
    <DetailList
      details={[
        ...details,
        { label: t("Amount"), value: <Amount value={sums.amount} code={code} /> },
        { label: t("Commission"), value: <Amount value={sums.commission} code={code} /> },
        {
          label: t("Network fees"),
          value: <Amount value={sums.fees} code={sums.fee_currency} />,
        },
        ...totals.map((total) => ({
          label: t("Total {code}", { code: total.code ?? "" }),
          value: <Amount value={total.amount} code={total.code} />,
        })),
        {
          label: t("Total value"),
          value: <FiatText value={worth.value} code={worth.code} />,
        },
      ]}
    />
  );
}
