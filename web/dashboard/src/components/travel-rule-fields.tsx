import { Fieldset, Group, Radio, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useMemo } from "react";
import { countryCodes } from "../../../../src/payouts/travel-rule/country-codes.ts";
import type { PersonValues } from "./travel-rule-person.ts";

/** Asks who receives money, as the travel rule wants it: a person's or a company's name, and an address. */
export function TravelRuleFields<Values extends PersonValues>({
  form,
}: {
  readonly form: UseFormReturnType<Values>;
}) {
  const { personKind } = form.values;
  const countries = useMemo(() => {
    const names = new Intl.DisplayNames(undefined, { type: "region", fallback: "code" });
    return [...countryCodes]
      .map((value) => ({ value, label: names.of(value) ?? value }))
      .toSorted((one, other) => one.label.localeCompare(other.label));
  }, []);
  return (
    <Fieldset legend="Who receives it (travel rule)">
      <Stack gap="sm">
        <Radio.Group label="Receiver" {...form.getInputProps("personKind")}>
          <Group mt="xs">
            <Radio value="natural" label="A person" />
            <Radio value="legal" label="A company" />
          </Group>
        </Radio.Group>
        {personKind === "natural" ? (
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label="First name" maxLength={100} {...form.getInputProps("firstName")} />
            <TextInput label="Last name" maxLength={100} {...form.getInputProps("lastName")} />
          </SimpleGrid>
        ) : (
          <TextInput label="Legal name" maxLength={100} {...form.getInputProps("companyName")} />
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label="Address" maxLength={70} {...form.getInputProps("addressLine")} />
          <Select
            label="Country"
            searchable
            clearable
            clearButtonProps={{ "aria-label": "No country" }}
            data={countries}
            nothingFoundMessage="No such country"
            {...form.getInputProps("country")}
          />
        </SimpleGrid>
      </Stack>
    </Fieldset>
  );
}
