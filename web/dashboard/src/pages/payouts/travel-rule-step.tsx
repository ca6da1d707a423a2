import { Checkbox, Stack, Switch, Text, TextInput } from "@mantine/core";
import { TravelRuleFields } from "../../components/travel-rule-fields.tsx";
import { TravelRuleReason } from "../../components/travel-rule-reason.tsx";
import { t } from "../../language/t.ts";
import { asksForPerson } from "./payout-request.ts";
import type { StepProps } from "./recipient-step.tsx";
import { RecipientText } from "./recipient-text.tsx";

/** The recipient details: the beneficiary's, or those of the form where they are required or added. */
export function TravelRuleStep({ form, draft }: StepProps) {
  const { values } = form;
  const { isTravelRuleRequired } = draft.facts;
  const known = draft.facts.beneficiary?.travelRule ?? null;
  const asksForm = asksForPerson(values, draft.facts);
  return (
    <Stack mt="md">
      {isTravelRuleRequired ? (
        <TravelRuleReason rule={draft.travelRule} code={draft.currency?.attributes.alpha ?? null}>
          {t("The travel rule requires the recipient's name and address.")}
        </TravelRuleReason>
      ) : null}
      {known === null ? null : (
        <>
          <RecipientText info={known} />
          <Checkbox
            label={t("Use different recipient details")}
            {...form.getInputProps("usesForm", { type: "checkbox" })}
          />
        </>
      )}
      {known === null && !isTravelRuleRequired ? (
        <Switch
          label={t("Add recipient details")}
          description={t("Optional: the amount is below the travel rule threshold.")}
          {...form.getInputProps("isNamed", { type: "checkbox" })}
        />
      ) : null}
      {asksForm ? <TravelRuleFields form={form} /> : null}
      {values.recipientKind === "address" ? (
        <>
          <Checkbox
            label={t("Save as beneficiary")}
            description={t("Save the address and recipient details for your next payout.")}
            {...form.getInputProps("isRemembered", { type: "checkbox" })}
          />
          {values.isRemembered ? (
            <TextInput
              label={t("Beneficiary name")}
              required
              maxLength={64}
              {...form.getInputProps("beneficiaryName")}
            />
          ) : null}
        </>
      ) : null}
      {asksForm || known !== null ? null : (
        <Text size="sm" c="dimmed">
          {t("No recipient details are sent.")}
        </Text>
      )}
    </Stack>
  );
}
