import { Button, Group, Radio, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Deposit, DepositResolution } from "../../../../../client/src/api-types.gen.ts";
import { normalizeDecimal } from "../../../../page/src/normalize-decimal.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { isPositive } from "../../components/decimals.ts";
import { Dialog, useBusyDialog } from "../../components/dialog.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { RefundForm } from "../../components/refund-form.tsx";
import { tagKindOf } from "../../components/tag-kinds.ts";
import { useAction } from "../../components/use-action.ts";
import type { HoldCause } from "../../language/message-text.ts";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";
import { type Resolution, suggestedResolution } from "./suggested-resolution.ts";
import { useHoldCauses } from "./use-hold-causes.ts";
import { useResolution } from "./use-resolution.ts";

/** Resolves funds on hold: accept them, refund them, or keep part and refund the rest. */
export function ResolveDialog(props: ResolveProps) {
  const resolution = useResolution(props.deposit.id);
  const causes = useHoldCauses(props.deposit.id);
  return (
    <Dialog opened onClose={props.onClose} title={t("Accept or refund")} size="lg">
      {resolution.data === undefined && resolution.error !== null ? (
        <ErrorAlert error={resolution.error} />
      ) : resolution.data === undefined || causes === undefined ? (
        <Skeleton height={240} />
      ) : (
        <Resolving {...props} resolution={resolution.data.attributes} causes={causes} />
      )}
    </Dialog>
  );
}

type ResolveProps = {
  readonly deposit: Deposit;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

function Resolving({
  deposit,
  resolution,
  causes,
  onClose,
  onDone,
}: ResolveProps & {
  readonly resolution: Partial<DepositResolution["attributes"]>;
  readonly causes: readonly HoldCause[] | null;
}) {
  const suggestion = useRefundAddress(deposit.id);
  const { held_amount: held, missing_amount: missing } = resolution;
  // Later payments change the amounts, but not what was chosen.
  const [action, setAction] = useState(() =>
    suggestedResolution({ held, missing, tolerance: deposit.attributes.inaccuracy, causes }),
  );
  const currencies = useCurrencies();
  const wallet = useWallets().get(deposit.relationships.wallet.data.id);
  const code = codeOf(currencies, walletCurrency(wallet));
  // Null until it is edited: the service then keeps what is missing at that moment.
  const [typedAmount, setTypedAmount] = useState<string | null>(null);
  const normalized = normalizeDecimal(typedAmount ?? "");
  const [keptAmount] = useDebouncedValue(normalized, 400);
  const kept = action === "partial" && keptAmount !== "" ? { amount: keptAmount } : {};
  return (
    <Stack>
      <OnHold deposit={deposit} held={held} code={code} />
      <ActionChoice value={action} onChange={setAction} />
      {action === "partial" ? (
        <TextInput
          label={t("Amount to keep ({code})", { code: code ?? "" })}
          inputMode="decimal"
          value={typedAmount ?? (missing != null && isPositive(missing) ? missing : "")}
          onChange={({ currentTarget }) => {
            setTypedAmount(currentTarget.value);
          }}
        />
      ) : null}
      {action === null ? (
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("Close")}
          </Button>
        </Group>
      ) : action === "accept" ? (
        <Accept depositId={deposit.id} onClose={onClose} onDone={onDone} />
      ) : (
        <RefundForm
          key={action}
          name={`deposit-${deposit.id}-${action}`}
          quotedFor={keptAmount}
          tagKind={tagKindOf(currencies, deposit.relationships.currency.data?.id ?? null)}
          suggestion={suggestion}
          isSettled={normalized === keptAmount}
          quote={({ address, ...tag }, signal) =>
            api.post("/deposit/{id}/resolve/calculate/", {
              id: deposit.id,
              signal,
              attributes: { action, to_address: address, ...tag, ...kept },
            })
          }
          complete={(attributes) => ({ ...attributes, action, ...kept })}
          send={(attributes, key) =>
            api.post("/deposit/{id}/resolve/", { id: deposit.id, attributes, ...key })
          }
          onClose={onClose}
          onDone={onDone}
        />
      )}
    </Stack>
  );
}

/** The amounts that the decision is about; `held` says more where earlier payments were decided on. */
function OnHold({
  deposit,
  held,
  code,
}: {
  readonly deposit: Deposit;
  readonly held: string | null | undefined;
  readonly code: string | null;
}) {
  const { target_amount_requested: requested, target_paid: paid } = deposit.attributes;
  const received = <Amount value={paid} code={code} />;
  return (
    <Text size="sm">
      {requested === null
        ? rich("Received {received}", { received })
        : rich("Requested {requested}, received {received}", {
            requested: <Amount value={requested} code={code} />,
            received,
          })}
      {held == null ? null : (
        <>
          <br />
          {rich("On hold: {held}", { held: <Amount value={held} code={code} /> })}
        </>
      )}
    </Text>
  );
}

/** The refund address that the payer provided on the payment page; null if there is none; undefined while loading. */
function useRefundAddress(depositId: string) {
  const payer = useQuery({
    queryKey: ["deposit", depositId, "payer"],
    queryFn: async ({ signal }) =>
      (await api.get("/deposit/{id}/payer/", { id: depositId, signal })).data,
  });
  if (payer.isPending) return undefined;
  const { refund_address: address = null, tag = null } = payer.data?.attributes ?? {};
  if (address === null) return null;
  return {
    address,
    tag,
    title: t("The payer provided a refund address"),
    text: t("It is filled in below. For large amounts, confirm it with the payer."),
  };
}

function ActionChoice({
  value,
  onChange,
}: {
  readonly value: Resolution | null;
  readonly onChange: (action: Resolution) => void;
}) {
  return (
    <Radio.Group
      label={t("How do you want to resolve this?")}
      value={value}
      onChange={(chosen) => {
        onChange(chosen);
      }}
    >
      <Stack gap="sm" mt="xs">
        <Radio
          value="accept"
          label={t("Accept in full")}
          description={t(
            "The deposit becomes Paid and the wallet is credited with the funds on hold.",
          )}
        />
        <Radio
          value="refund"
          label={t("Refund in full")}
          description={t(
            "A payout returns the funds on hold. The network fee is deducted from them.",
          )}
        />
        <Radio
          value="partial"
          label={t("Keep part, refund the rest")}
          description={t(
            "The deposit becomes Paid. The amount you keep is credited and the rest of the funds on hold is refunded.",
          )}
        />
      </Stack>
    </Radio.Group>
  );
}

/** The amount that accepting credits now, at the current rate if the payment's own rate has expired. */
function AcceptPrice({ depositId }: { readonly depositId: string }) {
  const currencies = useCurrencies();
  const wallets = useWallets();
  const { data } = useResolution(depositId);
  if (data === undefined) return null;
  const { accept_amount: amount, rate } = data.attributes;
  const code = codeOf(currencies, walletCurrency(wallets.get(data.relationships.wallet.data.id)));
  return (
    <Text size="sm">
      {amount === null
        ? t("No current price is available. Try again later.")
        : rate === null
          ? rich("Your wallet will be credited {amount}.", {
              amount: <Amount value={amount} code={code} />,
            })
          : rich(
              "Your wallet will be credited {amount}, at the current rate because the original rate has expired.",
              { amount: <Amount value={amount} code={code} /> },
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
          {t("Close")}
        </Button>
        <Button
          loading={accepting.isPending}
          onClick={() => {
            accepting.mutate();
          }}
        >
          {t("Accept")}
        </Button>
      </Group>
    </>
  );
}
