import { NativeSelect, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { useWallets } from "../../api/lookups.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { useApiForm } from "../../components/use-api-form.ts";

type Values = { scope: string; chain: string; wallet: string; reason: string };

/** Asks what is to be stopped and why, and stops it. */
export function StopPayoutsDialog({
  isOpen,
  isOperator,
  onClose,
  onDone,
}: {
  readonly isOpen: boolean;
  readonly isOperator: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title="Stop payouts">
      <StopPayoutsForm
        isOperator={isOperator}
        onClose={onClose}
        onDone={() => {
          onDone();
          onClose();
        }}
      />
    </Dialog>
  );
}

function StopPayoutsForm({
  isOperator,
  onClose,
  onDone,
}: {
  readonly isOperator: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { form, ...sending } = useApiForm<Values, unknown>({
    initialValues: { scope: isOperator ? "all" : "wallet", chain: "", wallet: "", reason: "" },
    send: ({ scope, chain, wallet, reason }) =>
      api.post("/kill-switch/", {
        attributes: {
          scope: scope as "all" | "chain" | "wallet",
          reason,
          ...(scope === "chain" ? { chain } : {}),
        },
        ...(scope === "wallet"
          ? { relationships: { wallet: { type: "wallet" as const, id: wallet } } }
          : {}),
      }),
    onDone,
  });
  const { scope } = form.getValues();
  const scopes = [
    ...(isOperator
      ? [
          { value: "all", label: "All payouts of this deployment" },
          { value: "chain", label: "Payouts on one chain" },
        ]
      : []),
    { value: "wallet", label: "Payouts from one wallet" },
  ];
  return (
    <DialogForm {...sending} action="Stop them" isDangerous onClose={onClose}>
      <Text size="sm" c="dimmed">
        Nothing new is accepted, and nothing that is not signed yet is sent. What is signed goes on:
        it may be with the network already.
      </Text>
      <NativeSelect
        label="What"
        data={scopes}
        key={form.key("scope")}
        {...form.getInputProps("scope")}
      />
      <WhereFields scope={scope} getInputProps={form.getInputProps} />
      <TextInput
        label="Reason"
        description="Everyone whose payouts are rejected reads it. It is kept with the switch and in the audit log."
        maxLength={256}
        required
        {...form.getInputProps("reason")}
      />
    </DialogForm>
  );
}

/** Which chain or wallet; nothing where everything is meant. */
function WhereFields({
  scope,
  getInputProps,
}: {
  readonly scope: string;
  readonly getInputProps: UseFormReturnType<Values>["getInputProps"];
}) {
  const wallets = [...useWallets().values()];
  const chains = useQuery({
    queryKey: ["chains", "choices"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/chain/", { signal })),
  });
  if (scope === "chain")
    return (
      <NativeSelect
        label="Chain"
        data={[
          { value: "", label: "Choose a chain" },
          ...(chains.data ?? []).map(({ id, attributes }) => ({
            value: id,
            label: `${attributes.name} (${id})`,
          })),
        ]}
        {...getInputProps("chain")}
      />
    );
  if (scope !== "wallet") return null;
  return (
    <NativeSelect
      label="Wallet"
      data={[
        { value: "", label: "Choose a wallet" },
        ...wallets.map(({ id, attributes }) => ({
          value: id,
          label: `${attributes.label} (${id})`,
        })),
      ]}
      {...getInputProps("wallet")}
    />
  );
}
