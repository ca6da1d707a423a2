import { Text } from "@mantine/core";
import type { Wallet } from "../../../../../client/src/api-types.gen.ts";
import { codeOf, useCurrencies, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { rich } from "../../language/rich.tsx";
import { FiatText } from "../wallets/fiat-text.tsx";
import { useFiatSum } from "../wallets/use-fiat-sum.ts";

/** The wallet's available balance with its value. */
export function Available({ wallet }: { readonly wallet: Wallet }) {
  const currency = walletCurrency(wallet);
  const balance = wallet.attributes.balance_confirmed;
  const worth = useFiatSum([{ amount: balance, currency }]);
  const amount = <Amount value={balance} code={codeOf(useCurrencies(), currency)} />;
  return (
    <Text size="sm" c="dimmed" component="div">
      {worth.value === null || worth.value?.isExact === true
        ? rich("Available {amount}", { amount })
        : rich("Available {amount} ({value})", {
            amount,
            value: <FiatText value={worth.value} code={worth.code} />,
          })}
    </Text>
  );
}
