import { Select, Switch, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { useCurrencies } from "../../api/lookups.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { fieldOfPointer } from "../../components/split-errors.ts";
import { tagKindOf, tagLabels, tagMembers } from "../../components/tag-kinds.ts";
import { TravelRuleFields } from "../../components/travel-rule-fields.tsx";
import {
  emptyPerson,
  fieldOfPersonPointer,
  travelRuleOf,
} from "../../components/travel-rule-person.ts";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";
import { currencyChainChoices, usableCurrencies } from "../currencies/currency-choices.ts";

/** Creates a beneficiary. */
export function BeneficiaryDialog({
  onClose,
  onDone,
}: {
  readonly onClose: () => void;
  readonly onDone: (id: string) => void;
}) {
  const queries = useQueryClient();
  const currencies = useCurrencies();
  const { form, ...sending } = useApiForm({
    initialValues: {
      ...emptyPerson,
      name: "",
      currency: "",
      address: "",
      tag: "",
      withRecipient: true,
    },
    fieldOf: (pointer) => fieldOfPersonPointer(pointer) ?? fieldOfPointer(pointer),
    send: ({ name, currency, address, tag, withRecipient, ...person }) =>
      api.post("/beneficiary/", {
        attributes: {
          name: name.trim(),
          address: address.trim(),
          ...tagMembers(tagKindOf(currencies, currency), tag),
          ...(withRecipient ? { travel_rule_info: travelRuleOf(person) } : {}),
        },
        relationships: { currency: { type: "currency", id: currency } },
      }),
    onDone: ({ data }) => {
      void queries.invalidateQueries();
      onClose();
      onDone(data.id);
    },
  });
  const chosen = currencies.get(form.values.currency);
  const tagKind = tagKindOf(currencies, chosen?.id ?? null);
  return (
    <Dialog opened onClose={onClose} title={t("New beneficiary")} size="lg">
      <DialogForm {...sending} action={t("Save")} onClose={onClose}>
        <TextInput label={t("Name")} required maxLength={64} {...form.getInputProps("name")} />
        <Select
          label={t("Currency")}
          description={t("Any currency on the same blockchain can be sent to this address.")}
          required
          searchable
          allowDeselect={false}
          nothingFoundMessage={t("No matching currency")}
          data={currencyChainChoices(usableCurrencies(currencies))}
          {...form.getInputProps("currency")}
        />
        <TextInput
          label={t("Address")}
          description={t(
            "The address can't be changed later. Add another beneficiary for another address.",
          )}
          required
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps("address")}
        />
        {tagKind === null ? null : (
          <TextInput label={tagLabels[tagKind]} {...form.getInputProps("tag")} />
        )}
        <Switch
          label={t("Add recipient details")}
          description={t(
            "Some payouts require them (travel rule). They are stored encrypted and visible only to members who can create payouts.",
          )}
          {...form.getInputProps("withRecipient", { type: "checkbox" })}
        />
        {form.values.withRecipient ? <TravelRuleFields form={form} /> : null}
      </DialogForm>
    </Dialog>
  );
}
