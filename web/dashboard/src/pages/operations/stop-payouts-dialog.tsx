import { Checkbox, NativeSelect, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import type { KillSwitch } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { useWallets } from "../../api/lookups.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";

type Values = {
  scope: string;
  chain: string;
  wallet: string;
  reason: string;
  stopsCrediting: boolean;
};

/** Sets a kill switch with a scope and a reason. */
export function StopPayoutsDialog({
  isOpen,
  isOperator,
  onClose,
  onDone,
}: {
  readonly isOpen: boolean;
  readonly isOperator: boolean;
  readonly onClose: () => void;
  readonly onDone: (stopped: KillSwitch) => void;
}) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t("Stop payouts")}>
      <StopPayoutsForm
        isOperator={isOperator}
        onClose={onClose}
        onDone={(stopped) => {
          onDone(stopped);
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
  readonly onDone: (stopped: KillSwitch) => void;
}) {
  const { form, ...sending } = useApiForm<Values, { readonly data: KillSwitch }>({
    initialValues: {
      scope: isOperator ? "all" : "wallet",
      chain: "",
      wallet: "",
      reason: "",
      stopsCrediting: false,
    },
    send: ({ scope, chain, wallet, reason, stopsCrediting }) =>
      api.post("/kill-switch/", {
        attributes: {
          scope: scope as "all" | "chain" | "wallet",
          reason,
          ...(scope === "chain" ? { chain, stops_crediting: stopsCrediting } : {}),
        },
        ...(scope === "wallet"
          ? { relationships: { wallet: { type: "wallet" as const, id: wallet } } }
          : {}),
      }),
    onDone: ({ data }) => {
      onDone(data);
    },
  });
  const { scope } = form.getValues();
  const scopes = [
    ...(isOperator
      ? [
          { value: "all", label: t("All payouts in this deployment") },
          { value: "chain", label: t("Payouts on one blockchain") },
        ]
      : []),
    { value: "wallet", label: t("Payouts from one wallet") },
  ];
  return (
    <DialogForm {...sending} action={t("Stop payouts")} isDangerous onClose={onClose}>
      <Text size="sm" c="dimmed">
        {t(
          "New payouts are refused, and unsigned payouts won't be sent. Signed payouts continue because the network may already have them.",
        )}
      </Text>
      <NativeSelect
        label={t("Scope")}
        data={scopes}
        key={form.key("scope")}
        {...form.getInputProps("scope")}
      />
      <ScopeField scope={scope} getInputProps={form.getInputProps} />
      {scope === "chain" ? (
        <Checkbox
          label={t("Also credit no payments")}
          description={t(
            "The blockchain is not read until payouts resume. Use this while the network is split.",
          )}
          {...form.getInputProps("stopsCrediting", { type: "checkbox" })}
        />
      ) : null}
      <TextInput
        label={t("Reason")}
        description={t(
          "Shown to everyone whose payouts are refused, and recorded in the audit log.",
        )}
        maxLength={256}
        required
        {...form.getInputProps("reason")}
      />
    </DialogForm>
  );
}

/** Selects the chain or wallet of a narrower scope. */
function ScopeField({
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
        label={t("Blockchain")}
        data={[
          { value: "", label: t("Choose a blockchain") },
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
      label={t("Wallet")}
      data={[
        { value: "", label: t("Choose a wallet") },
        ...wallets.map(({ id, attributes }) => ({
          value: id,
          label: `${attributes.label} (${id})`,
        })),
      ]}
      {...getInputProps("wallet")}
    />
  );
}
