import { Alert, Text } from "@mantine/core";
import type { Deposit } from "../../../../../client/src/api-types.gen.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { isPositive, subtractDecimals } from "../../components/decimals.ts";
import { useRole } from "../../components/use-role.ts";
import { holdCauseText } from "../../language/message-text.ts";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";
import { useHoldCauses } from "./use-hold-causes.ts";
import { useResolution } from "./use-resolution.ts";

/** Explains why funds are on hold, such as overpaid, underpaid or paid late; null for deposits of which nothing is on hold. */
export function UnresolvedNote({ deposit }: { readonly deposit: Deposit }) {
  const currencies = useCurrencies();
  const wallet = useWallets().get(deposit.relationships.wallet.data.id);
  const { mayCreate } = useRole();
  const causes = useHoldCauses(deposit.id);
  const resolution = useResolution(deposit.id);
  const { attributes } = deposit;
  if (attributes.status !== 5)
    return attributes.state === "on_hold" ? (
      <Alert color="amber" title={t("Payment held by screening")}>
        <Text size="sm">{t("It counts towards this deposit once an operator releases it.")}</Text>
      </Alert>
    ) : null;
  const code = codeOf(currencies, walletCurrency(wallet));
  const { target_paid: received, target_amount_requested: requested } = attributes;
  // What was refunded is no longer the payer's: it neither fills the requested amount nor exceeds it.
  const refunded = resolution.data?.attributes.refunded_amount;
  const balance =
    requested === null || refunded === undefined
      ? null
      : subtractDecimals(subtractDecimals(received, refunded) ?? received, requested);
  // Amounts say more than the notes on over- and underpaid transfers, but nothing about payments that came too late.
  const otherCause = causes?.find((cause) => cause !== "overpaid" && cause !== "underpaid");
  const title =
    otherCause !== undefined
      ? t("Action required: {cause}", { cause: holdCauseText(otherCause) })
      : balance !== null && isPositive(balance)
        ? rich("Action required: overpaid by {amount}", {
            amount: <Amount value={balance} code={code} />,
          })
        : balance?.startsWith("-") === true
          ? rich("Action required: underpaid by {amount}", {
              amount: <Amount value={balance.slice(1)} code={code} />,
            })
          : t("Action required");
  return (
    <Alert color="amber" title={title}>
      <Text size="sm">
        {requested === null
          ? rich("Received {received}.", { received: <Amount value={received} code={code} /> })
          : rich("Requested {requested}, received {received}.", {
              requested: <Amount value={requested} code={code} />,
              received: <Amount value={received} code={code} />,
            })}{" "}
        {mayCreate
          ? t("Funds are on hold until you accept or refund them.")
          : t("Funds are on hold until a team member accepts or refunds them.")}
      </Text>
    </Alert>
  );
}
