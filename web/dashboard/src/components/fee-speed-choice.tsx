import { Radio, type RadioGroupProps, Stack } from "@mantine/core";
import { t } from "../language/t.ts";
import { Amount } from "./amount.tsx";

export type FeeSpeed = "low" | "medium" | "high";

const speeds = [
  { value: "low", label: t("Slow") },
  { value: "medium", label: t("Standard") },
  { value: "high", label: t("Fast") },
] as const;

/** Offers the quoted network fees, each with its amount. */
export function FeeSpeedChoice({
  fees,
  code,
  ...group
}: Omit<RadioGroupProps, "children" | "label"> & {
  readonly fees: Readonly<Record<FeeSpeed, string>>;
  readonly code: string | null;
}) {
  return (
    <Radio.Group label={t("Network fee")} {...group}>
      <Stack gap="xs" mt="xs">
        {speeds.map(({ value, label }) => (
          <Radio
            key={value}
            value={value}
            label={
              <>
                {label} <Amount value={fees[value]} code={code} />
              </>
            }
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
