import { Fieldset, Group, Radio, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useMemo } from "react";
import { countryCodes } from "../../../../src/payouts/travel-rule/read-travel-rule.ts";
import { locale } from "../language/language.ts";
import { t } from "../language/t.ts";
import type { PersonValues } from "./travel-rule-person.ts";

/** The recipient's name and address, required by the travel rule. */
export function TravelRuleFields<Values extends PersonValues>({
  form,
}: {
  readonly form: UseFormReturnType<Values>;
}) {
  const { personKind } = form.values;
  const country: { readonly onChange: (value: string) => void } = form.getInputProps("country");
  const countries = useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: "region", fallback: "code" });
    return [...countryCodes]
      .map((value) => ({ value, label: names.of(value) ?? value }))
      .toSorted((a, b) => a.label.localeCompare(b.label));
  }, []);
  return (
    <Fieldset legend={t("Recipient details (travel rule)")}>
      <Stack gap="sm">
        <Radio.Group label={t("Recipient type")} {...form.getInputProps("personKind")}>
          <Group mt="xs">
            <Radio value="natural" label={t("Individual")} />
            <Radio value="legal" label={t("Company")} />
          </Group>
        </Radio.Group>
        {personKind === "natural" ? (
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label={t("First name")}
              withAsterisk
              maxLength={100}
              {...form.getInputProps("firstName")}
            />
            <TextInput
              label={t("Last name")}
              withAsterisk
              maxLength={100}
              {...form.getInputProps("lastName")}
            />
          </SimpleGrid>
        ) : (
          <TextInput
            label={t("Legal name")}
            withAsterisk
            maxLength={100}
            {...form.getInputProps("companyName")}
          />
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={t("Street address")}
            withAsterisk
            maxLength={70}
            {...form.getInputProps("addressLine")}
          />
          <Select
            label={t("Country")}
            searchable
            clearable
            clearButtonProps={{ "aria-label": t("Clear country") }}
            data={countries}
            nothingFoundMessage={t("No matching country")}
            {...country}
            // An empty text would count as a value that can be cleared.
            value={form.values.country === "" ? null : form.values.country}
            onChange={(chosen: string | null) => {
              country.onChange(chosen ?? "");
            }}
          />
        </SimpleGrid>
      </Stack>
    </Fieldset>
  );
}
