import { Button, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import type { Payout, PayoutApproval } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";
import { ApproveDialog } from "./approve-dialog.tsx";

/** The actions that the payout's state and the member's role permit. */
export function PayoutActions({
  payout,
  approval,
}: {
  readonly payout: Payout;
  readonly approval: PayoutApproval;
}) {
  const { mayPay } = useRole();
  const queries = useQueryClient();
  const [isEditing, editing] = useDisclosure(false);
  const [isCanceling, canceling] = useDisclosure(false);
  const [isApproving, approving] = useDisclosure(false);
  const { attributes } = approval;
  if (!mayPay) return null;
  const refresh = (): void => {
    void queries.invalidateQueries();
  };
  return (
    <>
      <Button variant="default" onClick={editing.open}>
        {t("Edit")}
      </Button>
      {attributes.may_cancel ? (
        <Button variant="default" onClick={canceling.open}>
          {t("Cancel payout")}
        </Button>
      ) : null}
      {attributes.status === 1 ? (
        <Button onClick={approving.open} disabled={!attributes.may_approve}>
          {t("Approve")}
        </Button>
      ) : null}
      {isApproving ? (
        <ApproveDialog
          waiting={[{ payout, approval }]}
          onClose={approving.close}
          act={() => api.post("/payout/{id}/approve/", { id: payout.id })}
          onDone={refresh}
        />
      ) : null}
      <ConfirmDialog
        isOpen={isCanceling}
        onClose={canceling.close}
        title={t("Cancel payout {id}?", { id: payout.id })}
        action={t("Cancel payout")}
        dismissal={t("Keep payout")}
        isDangerous
        act={() => api.post("/payout/{id}/cancel/", { id: payout.id })}
        onDone={refresh}
      >
        {t(
          "The funds return to the wallet. If the payout is a refund, the payment goes back on hold. A payout whose transaction is already signed can't be canceled.",
        )}
      </ConfirmDialog>
      {isEditing ? <EditDialog payout={payout} onClose={editing.close} onDone={refresh} /> : null}
    </>
  );
}

function EditDialog({
  payout: { id, attributes },
  onClose,
  onDone,
}: {
  readonly payout: Payout;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { form, ...sending } = useApiForm({
    initialValues: { label: attributes.label ?? "", tracking_id: attributes.tracking_id ?? "" },
    send: (values) => api.patch("/payout/{id}/", { id, attributes: values }),
    onDone: () => {
      onClose();
      onDone();
    },
  });
  return (
    <Dialog opened onClose={onClose} title={t("Edit payout {id}", { id })}>
      <DialogForm {...sending} action={t("Save")} dismissal={t("Close")} onClose={onClose}>
        <TextInput label={t("Label")} maxLength={32} {...form.getInputProps("label")} />
        <TextInput
          label={t("Tracking ID")}
          maxLength={128}
          {...form.getInputProps("tracking_id")}
        />
      </DialogForm>
    </Dialog>
  );
}
