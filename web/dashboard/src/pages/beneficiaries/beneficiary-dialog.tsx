import { Select, Switch, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { useCurrencies } from "../../api/lookups.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { fieldOfPointer } from "../../components/sort-errors.ts";
import { TravelRuleFields } from "../../components/travel-rule-fields.tsx";
import {
  emptyPerson,
  fieldOfPersonPointer,
  travelRuleOf,
} from "../../components/travel-rule-person.ts";
import { useApiForm } from "../../components/use-api-form.ts";
import { currencyChainChoices, payableNow } from "../currencies/currency-choices.ts";

/** Writes down somebody to pay. */
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
      isNamed: true,
    },
    fieldOf: (pointer) => fieldOfPersonPointer(pointer) ?? fieldOfPointer(pointer),
    send: ({ name, currency, address, tag, isNamed, ...person }) =>
      api.post("/beneficiary/", {
        attributes: {
          name: name.trim(),
          address: address.trim(),
          tag: tag.trim(),
          ...(isNamed ? { travel_rule_info: travelRuleOf(person) } : {}),
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
  const hasTag = chosen?.attributes.tags.some((tag) => tag === "memo" || tag === "tag") === true;
  return (
    <Dialog opened onClose={onClose} title="New beneficiary" size="lg">
      <DialogForm {...sending} action="Save" dismissal="Close" onClose={onClose}>
        <TextInput label="Name" required maxLength={64} {...form.getInputProps("name")} />
        <Select
          label="Paid in"
          description="It can then be paid in every currency of the same blockchain."
          required
          searchable
          allowDeselect={false}
          nothingFoundMessage="No such currency"
          data={currencyChainChoices(payableNow(currencies))}
          {...form.getInputProps("currency")}
        />
        <TextInput
          label="Address"
          description="It never changes: for another address another beneficiary is written down."
          required
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps("address")}
        />
        {hasTag ? <TextInput label="Tag or memo" {...form.getInputProps("tag")} /> : null}
        <Switch
          label="Name who is behind it"
          description="Payouts ask for it; it is kept encrypted and shown to those who may pay."
          {...form.getInputProps("isNamed", { type: "checkbox" })}
        />
        {form.values.isNamed ? <TravelRuleFields form={form} /> : null}
      </DialogForm>
    </Dialog>
  );
}
