import { TextInput } from "@mantine/core";
import type { Member } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";
import { type Rights, RightsFields, rightsInput } from "./rights-fields.tsx";

/** Edits a team member. */
export function MemberDialog({
  member,
  onClose,
  onDone,
}: {
  /** Null: closed. */
  readonly member: Member | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  return (
    <Dialog
      opened={member !== null}
      onClose={onClose}
      title={t("Edit {name}", { name: member?.attributes.name ?? "" })}
      size="lg"
    >
      {member === null ? null : (
        <MemberForm key={member.id} member={member} onClose={onClose} onDone={onDone} />
      )}
    </Dialog>
  );
}

function MemberForm({
  member: { id, attributes },
  onClose,
  onDone,
}: {
  readonly member: Member;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { name, role, all_wallets, wallet_grants } = attributes;
  const { form, ...sending } = useApiForm<Rights & { name: string }, unknown>({
    initialValues: { name, role, all_wallets, wallet_grants },
    send: (values) =>
      api.patch("/member/{id}/", {
        id,
        attributes: { name: values.name, ...rightsInput(values) },
      }),
    onDone: () => {
      onDone();
      onClose();
    },
  });
  return (
    <DialogForm {...sending} action={t("Save")} onClose={onClose}>
      <TextInput
        label={t("Name")}
        maxLength={64}
        required
        data-autofocus
        {...form.getInputProps("name")}
      />
      <RightsFields form={form} />
    </DialogForm>
  );
}
