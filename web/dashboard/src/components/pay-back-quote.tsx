import { Group, Radio, Stack, Text } from "@mantine/core";
import { codeOf, useCurrencies } from "../api/lookups.ts";
import { Amount } from "./amount.tsx";
import { subtractDecimals } from "./decimals.ts";
import { DetailList } from "./detail-list.tsx";
import type { Quoted } from "./pay-back-form.tsx";

export type Speed = "low" | "medium" | "high";

const speeds = [
  { value: "low", label: "Slow" },
  { value: "medium", label: "Usual" },
  { value: "high", label: "Fast" },
] as const;

/** What goes back, what the network takes of it, and what arrives; nothing until an address is named. */
export function PayBackQuote({
  quoted,
  speed,
  onSpeed,
}: {
  readonly quoted: Quoted | null;
  readonly speed: Speed;
  readonly onSpeed: (speed: Speed) => void;
}) {
  const currencies = useCurrencies();
  if (quoted === null) return null;
  const { fee, is_internal: isInternal } = quoted.data.attributes;
  const amount = String(quoted.meta["amount"]);
  const currencyId = String(quoted.meta["currency"]);
  const code = codeOf(currencies, currencyId);
  const feeId = String(fee.currency);
  const feeCode = codeOf(currencies, feeId);
  // A token goes back whole: its transport is paid in another coin.
  const arrives = feeId === currencyId ? subtractDecimals(amount, fee[speed]) : amount;
  return (
    <Stack gap="sm" role="status" aria-label="What it costs">
      {isInternal ? null : (
        <Radio.Group
          label="Network fee"
          value={speed}
          onChange={(value) => {
            onSpeed(value);
          }}
        >
          <Group mt="xs">
            {speeds.map(({ value, label }) => (
              <Radio
                key={value}
                value={value}
                label={
                  <>
                    {label} <Amount value={fee[value]} code={feeCode} />
                  </>
                }
              />
            ))}
          </Group>
        </Radio.Group>
      )}
      <DetailList
        details={[
          { label: "Goes back", value: <Amount value={amount} code={code} /> },
          ...(isInternal
            ? []
            : [{ label: "Network fee", value: <Amount value={fee[speed]} code={feeCode} /> }]),
          { label: "Arrives", value: <Amount value={arrives} code={code} /> },
        ]}
      />
      {isInternal ? (
        <Text size="sm" c="dimmed">
          This address belongs to this service: it is moved in the books, at once and without a fee.
        </Text>
      ) : null}
    </Stack>
  );
}
