import {
  Alert,
  Button,
  Checkbox,
  Group,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { Amount } from "../../components/amount.tsx";
import { isPositive } from "../../components/decimals.ts";
import { FeeSpeedChoice } from "../../components/fee-speed-choice.tsx";
import { MoreOptions } from "../../components/more-options.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";
import { FiatText } from "../wallets/fiat-text.tsx";
import { useFiatSum } from "../wallets/use-fiat-sum.ts";
import { Available } from "./available.tsx";
import type { StepProps } from "./recipient-step.tsx";
import { waitForQuote } from "./use-payout-draft.ts";

/** The API's values of `fee.warning`. */
const warnings = {
  1: t("The fee is high compared to the amount."),
  2: t("The payout may fail because the remaining balance or the change would be too small."),
  3: t("The remaining balance may be too small to cover the fee of another payout."),
} as const;

/** The amount and the network fee. */
export function AmountStep({ form, draft }: StepProps) {
  const { currency, quote, wallet } = draft;
  const code = currency?.attributes.alpha ?? "";
  const isMerchant = wallet?.attributes.type === 1;
  const isQuoted = form.errors["amount"] === waitForQuote && quote.calculation !== null;
  const formError = isQuoted ? undefined : form.errors["amount"];
  const amountError = formError ?? (draft.filled.amount === "" ? undefined : quote.errors.amount);
  return (
    <Stack mt="md">
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <TextInput
          flex={1}
          label={t("Amount ({code})", { code })}
          required
          inputMode="decimal"
          autoComplete="off"
          {...form.getInputProps("amount")}
          value={form.values.isAll ? draft.filled.amount : form.values.amount}
          error={amountError}
          onChange={({ currentTarget }) => {
            form.setFieldValue("isAll", false);
            form.setFieldValue("amount", currentTarget.value);
            form.clearFieldError("amount");
          }}
        />
        {isMerchant ? null : (
          <Button
            variant="default"
            mb={amountError === undefined ? 0 : 22}
            onClick={() => {
              form.setFieldValue("isAll", true);
              form.clearFieldError("amount");
            }}
          >
            {t("Max")}
          </Button>
        )}
      </Group>
      <div>
        <AmountValue draft={draft} />
        {wallet === null ? null : <Available wallet={wallet} />}
      </div>
      {draft.mayIncludeFee ? (
        <Checkbox
          label={t("Deduct the fee from the amount")}
          description={t(
            "The recipient gets the amount minus the fee. Otherwise the fee is charged on top.",
          )}
          {...form.getInputProps("is_fee_included", { type: "checkbox" })}
          checked={draft.filled.is_fee_included}
          disabled={form.values.isAll}
        />
      ) : null}
      <FeeChoice form={form} draft={draft} />
      <MoreOptions>
        <MoreFields form={form} />
      </MoreOptions>
    </Stack>
  );
}

/** The value of the typed amount at current prices; nothing before an amount is typed. */
function AmountValue({ draft: { currency, filled } }: Pick<StepProps, "draft">) {
  const isTyped = isPositive(filled.amount);
  const worth = useFiatSum(
    isTyped && currency !== null ? [{ amount: filled.amount, currency: currency.id }] : [],
  );
  if (!isTyped) return null;
  return (
    <Text size="sm" component="div" aria-live="polite">
      <FiatText value={worth.value} code={worth.code} />
    </Text>
  );
}

function MoreFields({ form }: Pick<StepProps, "form">) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput label={t("Label")} maxLength={32} {...form.getInputProps("label")} />
      <TextInput label={t("Tracking ID")} maxLength={128} {...form.getInputProps("tracking_id")} />
      <TextInput
        label={t("Required confirmations")}
        description={t("0 to 100. Leave empty for the currency's default.")}
        inputMode="numeric"
        {...form.getInputProps("confirmations_needed")}
      />
      <TextInput
        label={t("Callback URL")}
        description={t("Receives webhooks about this payout.")}
        type="url"
        {...form.getInputProps("callback_url")}
      />
    </SimpleGrid>
  );
}

/** The current fee quote, refreshed while it is shown. */
function FeeChoice({ form, draft: { filled, quote, feeCurrency } }: StepProps) {
  const { recipientKind } = form.values;
  if (recipientKind === "wallet" || recipientKind === "deposit")
    return (
      <Text size="sm" c="dimmed">
        {t("Internal transfer: no network fee.")}
      </Text>
    );
  if (quote.error !== null) return <ErrorAlert error={quote.error} />;
  if (quote.calculation === null)
    return quote.isQuoting ? (
      <div role="status">
        <Skeleton height={64} />
        <span className="visually-hidden">{t("Loading the fee")}</span>
      </div>
    ) : null;
  if (quote.calculation.is_internal)
    return (
      <Text size="sm" c="dimmed">
        {t("This address belongs to this service. No network fee.")}
      </Text>
    );
  const { fee, commission } = quote.calculation;
  // A quote for another amount (the previous one, or the minimum) would mislead.
  const warning =
    fee.warning === null || quote.amount !== filled.amount ? null : warnings[fee.warning];
  return (
    <Stack gap="sm">
      <FeeSpeedChoice
        fees={fee}
        code={feeCurrency?.attributes.alpha ?? null}
        description={t("Updated every 15 seconds.")}
        {...form.getInputProps("speed")}
      />
      {/^0(\.0*)?$/.test(commission.amount) ? null : (
        <Text size="sm">
          {rich("Commission {amount}", { amount: <Amount value={commission.amount} /> })}
        </Text>
      )}
      {warning === null ? null : (
        <Alert color="amber" role="status" title={t("Check the fee")}>
          {warning}
        </Alert>
      )}
    </Stack>
  );
}
