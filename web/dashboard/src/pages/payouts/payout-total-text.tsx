import { Text } from "@mantine/core";
import { Fragment } from "react";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { rich } from "../../language/rich.tsx";
import { FiatText } from "../wallets/fiat-text.tsx";
import { useFiatSum } from "../wallets/use-fiat-sum.ts";
import { payoutTotals } from "./payout-total.ts";
import type { StepProps } from "./recipient-step.tsx";

/** What the payout takes from the wallet with its fees, and its value; nothing while the amount is unknown. */
export function PayoutTotal({ form, draft }: StepProps) {
  const currencies = useCurrencies();
  const { filled, facts, quote, feeCurrency } = draft;
  const totals = payoutTotals({
    amount: filled.amount,
    currency: form.values.currency,
    commission: quote.calculation?.commission.amount ?? "0",
    fee: facts.feeAmount,
    feeCurrency: feeCurrency?.id ?? "",
    isFeeIncluded: filled.is_fee_included,
  });
  const worth = useFiatSum(totals);
  // Without a quote the commission is not known, so a total would be too low.
  if (totals.length === 0 || quote.calculation === null) return null;
  const amounts = totals.map(({ amount, currency }, index) => (
    <Fragment key={currency}>
      {index === 0 ? "" : " + "}
      <Amount value={amount} code={codeOf(currencies, currency)} />
    </Fragment>
  ));
  return (
    <Text size="sm" component="div">
      {worth.value === null
        ? rich("Total {amounts}", { amounts })
        : rich("Total {amounts} ({value})", {
            amounts,
            value: <FiatText value={worth.value} code={worth.code} />,
          })}
    </Text>
  );
}
