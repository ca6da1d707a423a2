import { Checkbox, Stack, Switch, Text, TextInput } from "@mantine/core";
import { TravelRuleFields } from "../../components/travel-rule-fields.tsx";
import type { StepProps } from "./payee-step.tsx";
import { ReceiverText } from "./receiver-text.tsx";

/** Who receives it: known of a beneficiary, asked for otherwise, and left out where it is not needed and not wished. */
export function ReceiverStep({ form, order }: StepProps) {
  const { values } = form;
  const { isTravelRuleRequired } = order.facts;
  const known = order.facts.beneficiary?.travelRule ?? null;
  const asksForm = known === null ? isTravelRuleRequired || values.isNamed : values.usesForm;
  return (
    <Stack mt="md">
      {known === null ? null : (
        <>
          <ReceiverText info={known} />
          <Checkbox
            label="Somebody else receives it"
            {...form.getInputProps("usesForm", { type: "checkbox" })}
          />
        </>
      )}
      {known === null && !isTravelRuleRequired ? (
        <Switch
          label="Name who receives it"
          description="Below the amount from which the travel rule asks for it, it may be left out."
          {...form.getInputProps("isNamed", { type: "checkbox" })}
        />
      ) : null}
      {asksForm ? <TravelRuleFields form={form} /> : null}
      {values.payeeKind === "address" ? (
        <>
          <Checkbox
            label="Remember as a beneficiary"
            description="Address and receiver are filled in the next time."
            {...form.getInputProps("isRemembered", { type: "checkbox" })}
          />
          {values.isRemembered ? (
            <TextInput
              label="Name of the beneficiary"
              required
              maxLength={64}
              {...form.getInputProps("beneficiaryName")}
            />
          ) : null}
        </>
      ) : null}
      {asksForm || known !== null ? null : (
        <Text size="sm" c="dimmed">
          Nobody is named.
        </Text>
      )}
    </Stack>
  );
}
