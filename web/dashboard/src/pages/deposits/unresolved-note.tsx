import { Alert, Text } from "@mantine/core";
import type { Deposit } from "../../../../../client/src/api-types.gen.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { isPositive, subtractDecimals } from "../../components/decimals.ts";
import { useRole } from "../../components/use-role.ts";

/** Explains why funds are on hold (overpaid, underpaid or late); null for deposits that need no decision. */
export function UnresolvedNote({ deposit }: { readonly deposit: Deposit }) {
  const currencies = useCurrencies();
  const wallet = useWallets().get(deposit.relationships.wallet.data.id);
  const { mayCreate } = useRole();
  const { attributes } = deposit;
  if (attributes.status !== 5) return null;
  const code = codeOf(currencies, walletCurrency(wallet));
  const { target_paid: received, target_amount_requested: requested } = attributes;
  const excess = requested === null ? null : subtractDecimals(received, requested);
  const missing = requested === null ? null : subtractDecimals(requested, received);
  const cause =
    excess !== null && isPositive(excess) ? (
      <>
        : overpaid by <Amount value={excess} code={code} />
      </>
    ) : missing !== null && isPositive(missing) ? (
      <>
        : underpaid by <Amount value={missing} code={code} />
      </>
    ) : null;
  return (
    <Alert color="amber" title={<>Action required{cause}</>}>
      <Text size="sm">
        Received <Amount value={received} code={requested === null ? code : null} />
        {requested === null ? null : (
          <>
            {" "}
            of <Amount value={requested} code={code} />
          </>
        )}
        . Funds are on hold until{" "}
        {mayCreate ? "you accept or refund them." : "a team member accepts or refunds them."}
      </Text>
    </Alert>
  );
}
