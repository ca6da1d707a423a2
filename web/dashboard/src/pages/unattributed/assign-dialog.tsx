import { Alert, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AssignableDeposit, Unattributed } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { ReasonInput } from "../../components/reason-input.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { plural, t } from "../../language/t.ts";
import { assignmentNotes } from "./assignment-notes.ts";

/** Finds the deposit that a payment was for, shows what assigning does, and assigns it. */
export function AssignDialog({
  payment,
  onClose,
  onDone,
}: {
  readonly payment: Unattributed;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const [text, setText] = useState("");
  const [searched] = useDebouncedValue(text.trim(), 300);
  const found = useQuery({
    queryKey: ["assignable", payment.id, searched],
    queryFn: async ({ signal }) =>
      (
        await api.list("/unattributed/{id}/assignable-deposit/", {
          id: payment.id,
          filter: { text: searched.slice(0, 256) },
          signal,
        })
      ).data,
    enabled: searched !== "",
  });
  const { form, ...sending } = useApiForm({
    initialValues: { deposit: "", reason: "" },
    send: ({ deposit, reason }) =>
      api.post("/unattributed/{id}/assign/", {
        id: payment.id,
        attributes: { reason: reason.trim() },
        relationships: { deposit: { type: "deposit", id: deposit } },
      }),
    onDone: (_answer, { deposit }) => {
      onDone();
      onClose();
      notifications.show({
        title: t("Payment assigned"),
        message: t("Deposit {id}", { id: deposit }),
      });
    },
  });
  // Results of an earlier text may be other deposits: none of them is assigned to.
  const deposits = searched === text.trim() && searched !== "" ? found.data : undefined;
  const chosen = deposits?.find(({ id }) => id === form.values.deposit) ?? null;
  return (
    <Dialog opened onClose={onClose} title={t("Assign payment {id}", { id: payment.id })} size="lg">
      <DialogForm
        {...sending}
        action={t("Assign")}
        dismissal={t("Close")}
        canSend={chosen !== null && form.values.reason.trim() !== ""}
        onClose={onClose}
      >
        <TextInput
          data-autofocus
          type="search"
          label={t("Find the deposit")}
          description={t(
            "By its ID, tracking ID, payment link, tag, or address with tag, in any account.",
          )}
          autoComplete="off"
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
          }}
        />
        <ErrorAlert error={found.error} />
        <Found deposits={deposits} form={form} />
        {chosen === null ? null : <Effect payment={payment} deposit={chosen} />}
        <ReasonInput
          reason={form.values.reason}
          error={form.errors["reason"]}
          onChange={(reason) => {
            form.setFieldValue("reason", reason);
          }}
        />
      </DialogForm>
    </Dialog>
  );
}

function Found({
  deposits,
  form,
}: {
  readonly deposits: readonly AssignableDeposit[] | undefined;
  readonly form: { readonly getInputProps: (name: "deposit") => object };
}) {
  return (
    <>
      <Text role="status" size="sm" c="dimmed">
        {deposits === undefined ? "" : countText(deposits.length)}
      </Text>
      {deposits === undefined || deposits.length === 0 ? null : (
        <Radio.Group label={t("Deposit")} {...form.getInputProps("deposit")}>
          <Stack gap="xs" mt="xs">
            {deposits.map(({ id, attributes }) => (
              <Radio
                key={id}
                value={id}
                label={t("Deposit {id} of {accountName}", {
                  id,
                  accountName: attributes.account_name,
                })}
                description={[attributes.tracking_id, attributes.label]
                  .filter((part) => part !== null)
                  .join(" · ")}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </>
  );
}

function countText(count: number): string {
  if (count === 0) return t("No matching deposit is paid to this account in this currency.");
  return plural(count, "1 deposit", "{count} deposits");
}

/** What assigning the payment to this deposit does. */
function Effect({
  payment,
  deposit,
}: {
  readonly payment: Unattributed;
  readonly deposit: AssignableDeposit;
}) {
  const currencies = useCurrencies();
  const { attributes, relationships } = deposit;
  const code = codeOf(currencies, relationships.currency.data.id);
  const walletCode = codeOf(currencies, relationships.wallet_currency.data.id);
  const notes = assignmentNotes(payment.attributes, attributes, code === walletCode);
  return (
    <Stack gap="sm" role="status" aria-label={t("Effect of the assignment")}>
      <DetailList
        details={[
          { label: t("Status"), value: <StatusBadge kind="deposit" value={attributes.state} /> },
          {
            label: t("Requested"),
            value:
              attributes.target_amount_requested === null ? (
                t("Any amount")
              ) : (
                <Amount value={attributes.target_amount_requested} code={walletCode} />
              ),
          },
          {
            label: t("Already paid"),
            value: <Amount value={attributes.target_paid} code={walletCode} />,
          },
          {
            label: t("Assigned payment"),
            value: <Amount value={payment.attributes.amount} code={code} />,
          },
          { label: t("Created"), value: <TimeText value={attributes.created_at} /> },
        ]}
      />
      <Alert color="amber" title={t("An assignment can't be undone")}>
        {notes.map((note) => (
          <div key={note}>{note}</div>
        ))}
      </Alert>
    </Stack>
  );
}
