import { Text } from "@mantine/core";
import type { Payout, PayoutApproval } from "../../../../../client/src/api-types.gen.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";

/** What a payout in another currency than its wallet's costs the wallet when it is approved now. */
export function DecisionPrice({
  payout: { relationships },
  approval: { attributes },
}: {
  readonly payout: Payout;
  readonly approval: PayoutApproval;
}) {
  const currencies = useCurrencies();
  const wallet = useWallets().get(relationships.wallet.data.id);
  const currency = walletCurrency(wallet);
  if (attributes.revalued_from === null || currency === relationships.currency.data.id) return null;
  return (
    <Text size="xs" c="dimmed">
      {attributes.charged_on_decision === null ? (
        "No current price: it cannot be approved now."
      ) : (
        <>
          Costs{" "}
          <Amount value={attributes.charged_on_decision} code={codeOf(currencies, currency)} /> if
          approved now
        </>
      )}
    </Text>
  );
}
