import {
  Alert,
  Button,
  Checkbox,
  Collapse,
  Group,
  Radio,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Amount } from "../../components/amount.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import type { StepProps } from "./payee-step.tsx";
import { waitForQuote } from "./use-order.ts";

const speeds = [
  { value: "low", label: "Slow" },
  { value: "medium", label: "Usual" },
  { value: "high", label: "Fast" },
] as const;

/** The interface's `fee.warning` in words. */
const warnings = {
  1: "The fee is large for this amount.",
  2: "The payout may fail: what would be left, or the change, is too small.",
  3: "What remains in the wallet may be less than the least fee, and could then not be paid out.",
} as const;

/** How much, and what the network takes for it. */
export function AmountStep({ form, order }: StepProps) {
  const [isMore, more] = useDisclosure(false);
  const { currency, quote, wallet } = order;
  const code = currency?.attributes.alpha ?? "";
  const isMerchant = wallet?.attributes.type === 1;
  const isOver = form.errors["amount"] === waitForQuote && quote.calculation !== null;
  const shown = isOver ? undefined : form.errors["amount"];
  const amountFault = shown ?? (order.filled.amount === "" ? undefined : quote.faults.amount);
  return (
    <Stack mt="md">
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <TextInput
          flex={1}
          label={`Amount in ${code}`}
          required
          inputMode="decimal"
          autoComplete="off"
          {...form.getInputProps("amount")}
          value={form.values.isAll ? order.filled.amount : form.values.amount}
          error={amountFault}
          onChange={({ currentTarget }) => {
            form.setFieldValue("isAll", false);
            form.setFieldValue("amount", currentTarget.value.replace(",", "."));
            form.clearFieldError("amount");
          }}
        />
        {isMerchant ? null : (
          <Button
            variant="default"
            mb={amountFault === undefined ? 0 : 22}
            onClick={() => {
              form.setFieldValue("isAll", true);
              form.clearFieldError("amount");
            }}
          >
            All
          </Button>
        )}
      </Group>
      {order.mayIncludeFee ? (
        <Checkbox
          label="The fee is part of the amount"
          description="The receiver gets the amount less the fee. Otherwise the fee is charged in addition."
          {...form.getInputProps("is_fee_included", { type: "checkbox" })}
          checked={order.filled.is_fee_included}
          disabled={form.values.isAll}
        />
      ) : null}
      <FeeChoice form={form} order={order} />
      <Button
        variant="subtle"
        onClick={more.toggle}
        aria-expanded={isMore}
        aria-controls="more-of-payout"
        style={{ alignSelf: "start" }}
      >
        {isMore ? "Less" : "More"}
      </Button>
      <Collapse expanded={isMore} id="more-of-payout">
        <MoreFields form={form} />
      </Collapse>
    </Stack>
  );
}

function MoreFields({ form }: Pick<StepProps, "form">) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput label="Label" maxLength={32} {...form.getInputProps("label")} />
      <TextInput label="Tracking id" maxLength={128} {...form.getInputProps("tracking_id")} />
      <TextInput
        label="Confirmations"
        description="0 to 100; left empty, the currency's own count."
        inputMode="numeric"
        {...form.getInputProps("confirmations_needed")}
      />
      <TextInput
        label="Callbacks to"
        description="A URL of yours that is told what happens."
        type="url"
        {...form.getInputProps("callback_url")}
      />
    </SimpleGrid>
  );
}

/** The fees as they are quoted now; kept up to date while they are looked at. */
function FeeChoice({ form, order: { quote, feeCurrency } }: StepProps) {
  const { payeeKind } = form.values;
  if (payeeKind === "wallet" || payeeKind === "deposit")
    return (
      <Text size="sm" c="dimmed">
        The money moves inside the service: no network fee.
      </Text>
    );
  if (quote.error !== null) return <ErrorAlert error={quote.error} />;
  if (quote.calculation === null)
    return quote.isQuoting ? (
      <div role="status">
        <Skeleton height={64} />
        <span className="only-heard">The fee is being quoted</span>
      </div>
    ) : null;
  if (quote.calculation.is_internal)
    return (
      <Text size="sm" c="dimmed">
        This address belongs to this service: no network fee.
      </Text>
    );
  const { fee, commission } = quote.calculation;
  const warning = fee.warning === null ? null : warnings[fee.warning];
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Network fee"
        description="Quoted now; it is asked anew while you look at it."
        {...form.getInputProps("speed")}
      >
        <Group mt="xs">
          {speeds.map(({ value, label }) => (
            <Radio
              key={value}
              value={value}
              label={
                <>
                  {label} <Amount value={fee[value]} code={feeCurrency?.attributes.alpha ?? null} />
                </>
              }
            />
          ))}
        </Group>
      </Radio.Group>
      {/^0(\.0*)?$/.test(commission.amount) ? null : (
        <Text size="sm">
          Commission <Amount value={commission.amount} />
        </Text>
      )}
      {warning === null ? null : (
        <Alert color="amber" role="status" title="Look again">
          {warning}
        </Alert>
      )}
    </Stack>
  );
}
