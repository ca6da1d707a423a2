import { Alert, Text } from "@mantine/core";
import type { Deposit } from "../../../../../client/src/api-types.gen.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { isPositive, subtractDecimals } from "../../components/decimals.ts";
import { useRole } from "../../components/use-role.ts";
import { useDepositTransfers } from "./deposit-transfers.tsx";

/** Explains why funds are on hold, such as overpaid, underpaid or paid late; null for deposits of which nothing is on hold. */
export function UnresolvedNote({ deposit }: { readonly deposit: Deposit }) {
  const currencies = useCurrencies();
  const wallet = useWallets().get(deposit.relationships.wallet.data.id);
  const { mayCreate } = useRole();
  const transfers = useDepositTransfers(deposit.id);
  const { attributes } = deposit;
  if (attributes.status !== 5)
    return attributes.state === "on_hold" ? (
      <Alert color="amber" title="Payment held by screening">
        <Text size="sm">It counts towards this deposit once an operator releases it.</Text>
      </Alert>
    ) : null;
  const code = codeOf(currencies, walletCurrency(wallet));
  const { target_paid: received, target_amount_requested: requested } = attributes;
  const excess = requested === null ? null : subtractDecimals(received, requested);
  // Amounts say more than the notes on over- and underpaid transfers, but nothing about payments that came too late.
  const otherCause = (transfers.data ?? [])
    .flatMap(({ attributes: { message } }) => /^On hold: (.+)$/.exec(message ?? "")?.[1] ?? [])
    .find((note) => note !== "overpaid" && note !== "underpaid");
  const missing = requested === null ? null : subtractDecimals(requested, received);
  const cause =
    otherCause !== undefined ? (
      `: ${otherCause}`
    ) : excess !== null && isPositive(excess) ? (
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
        {requested === null ? (
          "Received "
        ) : (
          <>
            Requested <Amount value={requested} code={code} />, received{" "}
          </>
        )}
        <Amount value={received} code={code} />. Funds are on hold until{" "}
        {mayCreate ? "you accept or refund them." : "a team member accepts or refunds them."}
      </Text>
    </Alert>
  );
}
