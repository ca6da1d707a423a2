import { Button, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { normalizeDecimal } from "../../../../page/src/normalize-decimal.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";
import { currencyChainChoices, usableCurrencies } from "../currencies/currency-choices.ts";
import { LooseningNote } from "../protection/loosening-note.tsx";
import { NoteField } from "../protection/note-field.tsx";
import { askForChange, useChanged } from "../protection/use-protection.ts";

/** The amounts from which payouts need recipient details, per currency; operators change them. */
export function TravelRuleThresholds() {
  const currencies = useCurrencies();
  const changed = useChanged();
  const { data } = useQuery({
    queryKey: ["travel-rule-thresholds"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/travel-rule-threshold/", { signal })),
  });
  const [isSetting, setSetting] = useState(false);
  const [removed, setRemoved] = useState<string | null>(null);
  return (
    <Section
      title={t("Travel rule thresholds")}
      action={
        <Button
          variant="default"
          onClick={() => {
            setSetting(true);
          }}
        >
          {t("Set threshold")}
        </Button>
      }
    >
      <MiniTable
        name="Travel rule thresholds"
        rows={data}
        empty={t("No thresholds are set. Every payout and refund requires recipient details.")}
        columns={[
          {
            header: "Currency",
            cell: ({ relationships }) => codeOf(currencies, relationships.currency.data.id),
          },
          {
            header: "Recipient details required from",
            align: "end",
            cell: ({ attributes, relationships }) => (
              <Amount
                value={attributes.amount}
                code={codeOf(currencies, relationships.currency.data.id)}
              />
            ),
          },
          {
            header: "Set",
            cell: ({ attributes }) =>
              attributes.set_at === null ? (
                t("In the configuration")
              ) : (
                <TimeText value={attributes.set_at} />
              ),
          },
          {
            header: "Actions",
            cell: ({ id, attributes }) =>
              attributes.set_at === null ? null : (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={t("Remove the threshold of {code}", {
                    code: codeOf(currencies, id) ?? id,
                  })}
                  onClick={() => {
                    setRemoved(id);
                  }}
                >
                  {t("Remove")}
                </Button>
              ),
          },
        ]}
      />
      {isSetting ? (
        <ThresholdDialog
          onClose={() => {
            setSetting(false);
          }}
        />
      ) : null}
      <ConfirmDialog
        isOpen={removed !== null}
        onClose={() => {
          setRemoved(null);
        }}
        title={t("Remove the threshold of {code}?", { code: codeOf(currencies, removed) ?? "" })}
        action={t("Remove threshold")}
        act={async () => {
          const { data: change } = await askForChange({
            attributes: { kind: "travel_rule_threshold" },
            relationships: { currency: { type: "currency", id: removed ?? "" } },
          });
          changed(change);
        }}
      >
        <Stack gap="xs">
          <Text size="sm">
            {t(
              "The configuration's threshold applies again. Without one, every payout and refund in this currency requires recipient details.",
            )}
          </Text>
          <LooseningNote />
        </Stack>
      </ConfirmDialog>
    </Section>
  );
}

function ThresholdDialog({ onClose }: { readonly onClose: () => void }) {
  const currencies = useCurrencies();
  const changed = useChanged();
  const { form, ...sending } = useApiForm({
    initialValues: { currency: "", amount: "", note: "" },
    send: ({ currency, amount, note }) =>
      askForChange({
        attributes: { kind: "travel_rule_threshold", amount: normalizeDecimal(amount), note },
        relationships: { currency: { type: "currency", id: currency } },
      }),
    onDone: ({ data }) => {
      changed(data);
      onClose();
    },
  });
  return (
    <Dialog opened onClose={onClose} title={t("Set travel rule threshold")}>
      <DialogForm {...sending} action={t("Set threshold")} onClose={onClose}>
        <Text size="sm" c="dimmed">
          {t(
            "Smaller payouts and refunds require no recipient details. The law that applies to you decides which amount is allowed.",
          )}
        </Text>
        <Select
          label={t("Currency")}
          required
          searchable
          allowDeselect={false}
          nothingFoundMessage={t("No matching currency")}
          data={currencyChainChoices(usableCurrencies(currencies))}
          {...form.getInputProps("currency")}
        />
        <TextInput
          label={t("Amount")}
          required
          inputMode="decimal"
          autoComplete="off"
          {...form.getInputProps("amount")}
        />
        <NoteField field={form.getInputProps("note")} />
      </DialogForm>
    </Dialog>
  );
}
