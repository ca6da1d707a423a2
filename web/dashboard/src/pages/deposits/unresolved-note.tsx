import { Alert, Text } from "@mantine/core";
import type { Deposit } from "../../../../../client/src/api-types.gen.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { useRole } from "../../components/use-role.ts";

/** Says why somebody has to decide, and that money waits meanwhile; nothing where nobody has to. */
export function UnresolvedNote({ deposit }: { readonly deposit: Deposit }) {
  const currencies = useCurrencies();
  const wallet = useWallets().get(deposit.relationships.wallet.data.id);
  const { mayCreate } = useRole();
  const { attributes } = deposit;
  if (attributes.status !== 5) return null;
  const code = codeOf(currencies, walletCurrency(wallet));
  return (
    <Alert color="amber" title="This deposit waits for a decision">
      <Text size="sm">
        <Amount value={attributes.target_paid} code={code} /> came
        {attributes.target_amount_requested === null ? null : (
          <>
            {" "}
            where <Amount value={attributes.target_amount_requested} code={code} /> was asked for
          </>
        )}
        . What waits is not in the wallet yet and is not lost: it can be accepted, paid back, or
        kept in part.
        {mayCreate ? "" : " Your role may not decide this."}
      </Text>
    </Alert>
  );
}
