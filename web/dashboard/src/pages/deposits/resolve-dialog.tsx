import { Button, Group, Radio, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Deposit } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { Dialog, useBusyDialog } from "../../components/dialog.tsx";
import { PayBackForm } from "../../components/pay-back-form.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { useAction } from "../../components/use-action.ts";
import { usePayerAddress } from "./use-payer-address.ts";

type Action = "accept" | "refund" | "partial";

/** What becomes of money that waits: accepted, paid back, or a part of each. */
export function ResolveDialog({
  deposit,
  onClose,
  onDone,
}: {
  readonly deposit: Deposit;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const [action, setAction] = useState<Action>("accept");
  const payerAddress = usePayerAddress(deposit.id);
  const { target_amount_requested: requested, target_paid: paid } = deposit.attributes;
  const currencies = useCurrencies();
  const wallet = useWallets().get(deposit.relationships.wallet.data.id);
  const code = codeOf(currencies, walletCurrency(wallet));
  const [keep, setKeep] = useState(requested ?? "");
  const [keptAmount] = useDebouncedValue(keep.trim(), 400);
  const kept = action === "partial" && keptAmount !== "" ? { amount: keptAmount } : {};
  return (
    <Dialog opened onClose={onClose} title="Resolve the deposit" size="lg">
      <Stack>
        <Text size="sm">
          Paid: <Amount value={paid} code={code} />
          {requested === null ? null : (
            <>
              , asked for: <Amount value={requested} code={code} />
            </>
          )}
        </Text>
        <ActionChoice value={action} onChange={setAction} />
        {action === "partial" ? (
          <TextInput
            label={`Keep, in ${code ?? "the wallet's currency"}`}
            inputMode="decimal"
            value={keep}
            onChange={({ currentTarget }) => {
              setKeep(currentTarget.value);
            }}
          />
        ) : null}
        {action === "accept" ? (
          <Accept depositId={deposit.id} onClose={onClose} onDone={onDone} />
        ) : payerAddress === undefined ? (
          <Skeleton height={200} aria-busy="true" />
        ) : (
          <PayBackForm
            key={action}
            name={`${deposit.id} ${action} ${keptAmount}`}
            payerAddress={payerAddress}
            isSettled={keep.trim() === keptAmount}
            quote={(address, signal) =>
              api.post("/deposit/{id}/resolve/calculate/", {
                id: deposit.id,
                signal,
                attributes: { action, to_address: address, ...kept },
              })
            }
            send={({ address, feeAmount, travelRule }) =>
              api.post("/deposit/{id}/resolve/", {
                id: deposit.id,
                attributes: {
                  action,
                  address,
                  fee_amount: feeAmount,
                  travel_rule_info: travelRule,
                  ...kept,
                },
              })
            }
            onClose={onClose}
            onDone={onDone}
          />
        )}
      </Stack>
    </Dialog>
  );
}

function ActionChoice({
  value,
  onChange,
}: {
  readonly value: Action;
  readonly onChange: (action: Action) => void;
}) {
  return (
    <Radio.Group
      label="What becomes of the money that waits?"
      value={value}
      onChange={(chosen) => {
        onChange(chosen);
      }}
    >
      <Stack gap="sm" mt="xs">
        <Radio
          value="accept"
          label="Accept all of it"
          description="The deposit becomes Paid, and the wallet is credited with what came."
        />
        <Radio
          value="refund"
          label="Pay all of it back"
          description="A payout sends it back; the network's fee comes out of it."
        />
        <Radio
          value="partial"
          label="Keep a part and pay the rest back"
          description="The deposit becomes Paid with what you keep."
        />
      </Stack>
    </Radio.Group>
  );
}

/** The price before the decision: what comes into the wallet, and at which rate where the payment's own has run out. */
function AcceptPrice({ depositId }: { readonly depositId: string }) {
  const currencies = useCurrencies();
  const wallets = useWallets();
  const { data } = useQuery({
    queryKey: ["deposit-resolution", depositId],
    queryFn: async ({ signal }) =>
      (await api.get("/deposit/{id}/resolution/", { id: depositId, signal })).data,
    refetchInterval: 5_000,
  });
  if (data === undefined) return null;
  const { accept_amount: amount, rate } = data.attributes;
  const code = codeOf(currencies, walletCurrency(wallets.get(data.relationships.wallet.data.id)));
  return (
    <Text size="sm">
      {amount === null ? (
        "No current price: it cannot be accepted now."
      ) : (
        <>
          Credits <Amount value={amount} code={code} />
          {rate === null ? "." : ", at the current rate: the payment's own has run out."}
        </>
      )}
    </Text>
  );
}

function Accept({
  depositId,
  onClose,
  onDone,
}: {
  readonly depositId: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const accepting = useAction({
    mutationFn: () =>
      api.post("/deposit/{id}/resolve/", { id: depositId, attributes: { action: "accept" } }),
    meta: { isShownByForm: true },
    onSuccess: () => {
      onDone();
      onClose();
    },
  });
  useBusyDialog(accepting.isPending);
  return (
    <>
      <AcceptPrice depositId={depositId} />
      <ErrorAlert error={accepting.error} />
      <Group justify="flex-end">
        <Button variant="default" disabled={accepting.isPending} onClick={onClose}>
          Close
        </Button>
        <Button
          loading={accepting.isPending}
          onClick={() => {
            accepting.mutate();
          }}
        >
          Accept
        </Button>
      </Group>
    </>
  );
}
