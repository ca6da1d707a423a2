import { Text } from "@mantine/core";
import type { Payout, PayoutApproval } from "../../../../../client/src/api-types.gen.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";

/** What approving now costs the wallet, for a payout in another currency than the wallet's. */
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
        t("No current price is available. Try again later.")
      ) : (
        <>
          {rich("Costs {amount} if approved now", {
            amount: (
              <Amount value={attributes.charged_on_decision} code={codeOf(currencies, currency)} />
            ),
          })}
        </>
      )}
    </Text>
  );
}
