import { Alert, Stack } from "@mantine/core";
import { useWallets } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { subtractDecimals } from "../../components/decimals.ts";
import { DetailList } from "../../components/detail-list.tsx";
import { useRole } from "../../components/use-role.ts";
import type { StepProps } from "./payee-step.tsx";
import { depositIn, receiverOf } from "./payout-order.ts";
import { ReceiverText } from "./receiver-text.tsx";

/** Everything once more, before it is sent. */
export function ReviewStep({ form, order }: StepProps) {
  const values = { ...form.values, ...order.filled };
  const { needsApproval } = useRole();
  const { currency, feeCurrency, facts, wallet } = order;
  const code = currency?.attributes.alpha ?? null;
  const arrives =
    values.is_fee_included && facts.feeAmount !== null
      ? subtractDecimals(values.amount, facts.feeAmount)
      : values.amount;
  return (
    <Stack mt="md">
      <DetailList
        details={[
          { label: "From", value: wallet?.attributes.label ?? null },
          { label: "To", value: <Payee form={form} order={order} /> },
          { label: "Amount", value: <Amount value={values.amount} code={code} isFull /> },
          {
            label: values.is_fee_included ? "Fee, part of it" : "Fee, in addition",
            value:
              facts.feeAmount === null ? (
                "None: it stays inside the service"
              ) : (
                <Amount
                  value={facts.feeAmount}
                  code={feeCurrency?.attributes.alpha ?? null}
                  isFull
                />
              ),
          },
          { label: "Arrives", value: <Amount value={arrives} code={code} isFull /> },
          { label: "Who receives it", value: <ReceiverText info={receiverOf(values, facts)} /> },
        ]}
      />
      {needsApproval ? (
        <Alert color="blue" title="It will wait for approval">
          Another member of the account has to approve it before it is sent.
        </Alert>
      ) : null}
    </Stack>
  );
}

function Payee({ form: { values }, order }: StepProps) {
  const wallets = useWallets();
  switch (values.payeeKind) {
    case "address":
      return <CodeText value={values.address.trim()} label="the address" />;
    case "beneficiary":
      return (
        <div>
          {order.beneficiary?.attributes.name}
          <div>
            <CodeText value={order.beneficiary?.attributes.address ?? null} label="the address" />
          </div>
        </div>
      );
    case "wallet":
      return `Wallet ${wallets.get(values.target_wallet)?.attributes.label ?? values.target_wallet}`;
    case "deposit":
      return `Deposit ${depositIn(values.target_deposit)}`;
  }
}
