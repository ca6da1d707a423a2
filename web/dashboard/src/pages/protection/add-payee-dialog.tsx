import { Select, TextInput } from "@mantine/core";
import { useCurrencies } from "../../api/lookups.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { tagKindOf, tagLabels, tagMembers } from "../../components/tag-kinds.ts";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";
import { currencyChainChoices, onChainCurrencies } from "../currencies/currency-choices.ts";
import { NoteField } from "./note-field.tsx";
import { askForChange, useChanged } from "./use-protection.ts";

/** Asks to add an address to the allowlist. */
export function AddPayeeDialog({ onClose }: { readonly onClose: () => void }) {
  const currencies = useCurrencies();
  const changed = useChanged();
  const { form, ...sending } = useApiForm({
    initialValues: { currency: "", address: "", tag: "", label: "", note: "" },
    send: ({ currency, address, tag, label, note }) =>
      askForChange({
        attributes: {
          kind: "payee_addition",
          address: address.trim(),
          ...tagMembers(tagKindOf(currencies, currency), tag),
          label: label.trim(),
          note,
        },
        relationships: { currency: { type: "currency", id: currency } },
      }),
    onDone: ({ data }) => {
      changed(data);
      onClose();
    },
  });
  const tagKind = tagKindOf(currencies, form.values.currency);
  return (
    <Dialog opened onClose={onClose} title={t("Allow address")} size="lg">
      <DialogForm {...sending} action={t("Allow address")} onClose={onClose}>
        <TextInput label={t("Name")} maxLength={64} {...form.getInputProps("label")} />
        <Select
          label={t("Currency")}
          description={t("All currencies on the same blockchain can then be paid to the address.")}
          required
          searchable
          allowDeselect={false}
          nothingFoundMessage={t("No matching currency")}
          data={currencyChainChoices(onChainCurrencies(currencies))}
          {...form.getInputProps("currency")}
        />
        <TextInput
          label={t("Address")}
          required
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps("address")}
        />
        {tagKind === null ? null : (
          <TextInput label={tagLabels[tagKind]} {...form.getInputProps("tag")} />
        )}
        <NoteField field={form.getInputProps("note")} />
      </DialogForm>
    </Dialog>
  );
}
