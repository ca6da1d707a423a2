import { Button, Select, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import type { Deposit } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { useWallets } from "../../api/lookups.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";
import { expiryChoices } from "./expiry-choices.ts";
import { ResolveDialog } from "./resolve-dialog.tsx";

/** The actions that the deposit's status and the member's role permit. */
export function DepositActions({ deposit }: { readonly deposit: Deposit }) {
  const { mayCreate } = useRole();
  const queries = useQueryClient();
  const [isEditing, editing] = useDisclosure(false);
  const [isCanceling, canceling] = useDisclosure(false);
  const [isResolving, resolving] = useDisclosure(false);
  const isMerchant = useWallets().get(deposit.relationships.wallet.data.id)?.attributes.type === 1;
  const refresh = (): void => {
    void queries.invalidateQueries({ queryKey: ["deposit", deposit.id] });
    void queries.invalidateQueries({ queryKey: ["list"] });
  };
  if (!mayCreate) return null;
  const { status, state } = deposit.attributes;
  // A deposit without a requested amount stays Created (2) when it is paid.
  const isPaid = state === "paid" || state === "overpaid";
  return (
    <>
      {status === 5 ? <Button onClick={resolving.open}>{t("Accept or refund")}</Button> : null}
      <Button variant="default" onClick={editing.open}>
        {t("Edit")}
      </Button>
      {isMerchant && status === 2 && !isPaid ? (
        <Button variant="default" onClick={canceling.open}>
          {t("Cancel deposit")}
        </Button>
      ) : null}
      <EditDialog
        key={String(isEditing)}
        deposit={deposit}
        isMerchant={isMerchant}
        isOpen={isEditing}
        onClose={editing.close}
        onDone={refresh}
      />
      <ConfirmDialog
        isOpen={isCanceling}
        onClose={canceling.close}
        title={t("Cancel this deposit?")}
        action={t("Cancel deposit")}
        dismissal={t("Keep deposit")}
        isDangerous
        act={() => api.post("/deposit/{id}/cancel/", { id: deposit.id })}
        onDone={refresh}
      >
        {t(
          "The payment page closes. Any payment received, before or after you cancel, is put on hold until you accept or refund it.",
        )}
      </ConfirmDialog>
      {isResolving ? (
        <ResolveDialog deposit={deposit} onClose={resolving.close} onDone={refresh} />
      ) : null}
    </>
  );
}

function EditDialog({
  deposit,
  isMerchant,
  isOpen,
  onClose,
  onDone,
}: {
  readonly deposit: Deposit;
  readonly isMerchant: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { attributes } = deposit;
  const hasLimit = isMerchant && attributes.status === 2;
  const unchanged = "unchanged";
  const { form, ...sending } = useApiForm({
    initialValues: {
      label: attributes.label ?? "",
      tracking_id: attributes.tracking_id ?? "",
      time_limit: unchanged,
    },
    send: ({ label, tracking_id, time_limit: limit }) =>
      api.patch("/deposit/{id}/", {
        id: deposit.id,
        attributes: {
          label,
          tracking_id,
          ...(limit === unchanged ? {} : { time_limit: limit === "" ? null : Number(limit) }),
        },
      }),
    onDone: () => {
      onDone();
      onClose();
    },
  });
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t("Edit deposit")}>
      <DialogForm {...sending} action={t("Save")} dismissal={t("Close")} onClose={onClose}>
        <TextInput
          label={t("Label")}
          maxLength={32}
          data-autofocus
          {...form.getInputProps("label")}
        />
        <TextInput
          label={t("Tracking ID")}
          maxLength={128}
          {...form.getInputProps("tracking_id")}
        />
        {hasLimit ? (
          <Select
            label={t("Expires in")}
            description={t("Counted from now.")}
            allowDeselect={false}
            data={[{ value: unchanged, label: t("No change") }, ...expiryChoices]}
            {...form.getInputProps("time_limit")}
          />
        ) : null}
      </DialogForm>
    </Dialog>
  );
}
