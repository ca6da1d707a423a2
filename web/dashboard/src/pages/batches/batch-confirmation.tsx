import { Alert, Button, Card, Group, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId } from "react";
import type { PayoutBatchPreview } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { amountText } from "../../components/split-decimal.ts";
import { useAction } from "../../components/use-action.ts";
import { rich } from "../../language/rich.tsx";
import { plural, t } from "../../language/t.ts";
import { useStop } from "../operations/use-kill-switches.ts";
import { useFiatSum } from "../wallets/use-fiat-sum.ts";
import { BatchPreview } from "./batch-preview.tsx";
import { batchFaultsKey } from "./batch-refusals.ts";
import { batchTotals } from "./batch-sums.ts";
import { type BatchValues, coinOf, related } from "./batch-values.ts";
import { feesMaxOf } from "./fees-max.ts";

/** With more rows, the buttons above the preview are repeated below it. */
const longPreview = 5;

/** The preview of a file, with the button that creates its payouts. */
export function BatchConfirmation({
  values,
  preview: { attributes },
  onBack,
}: {
  readonly values: BatchValues;
  readonly preview: PayoutBatchPreview;
  readonly onBack: () => void;
}) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const creating = useAction({
    mutationFn: () =>
      api.post("/payout-batch/", {
        attributes: {
          csv: values.csv,
          reference: values.reference.trim(),
          fee_speed: values.fee_speed,
          fees_max: feesMaxOf(attributes.fees),
        },
        relationships: related(values),
      }),
    meta: { isShownByForm: true },
    onSuccess: async ({ data }) => {
      queries.setQueryData(batchFaultsKey(data.id), data.attributes.faults ?? []);
      await queries.invalidateQueries();
      void navigate({ to: "/batches/$batchId", params: { batchId: data.id } });
    },
  });
  const bar = (
    <ConfirmBar
      values={values}
      attributes={attributes}
      isCreating={creating.isPending}
      onBack={onBack}
      onConfirm={() => {
        creating.mutate();
      }}
    />
  );
  return (
    <Card>
      <Stack>
        {bar}
        {creating.error === null ? null : (
          <>
            <ErrorAlert error={creating.error} />
            <Text size="sm">
              {t("Some payouts may exist already. Create again: nothing is paid twice.")}
            </Text>
          </>
        )}
        {attributes.needs_approval && mayCreate(attributes) ? (
          <Alert color="blue" title={t("Needs approval")}>
            {t("Another member approves this batch before anything is sent. Funds are reserved.")}{" "}
            {t("Members whom you invited can't approve your payouts.")}
          </Alert>
        ) : null}
        <BatchPreview attributes={attributes} wallet={values.wallet} currency={values.currency} />
        {attributes.rows.length > longPreview ? bar : null}
      </Stack>
    </Card>
  );
}

function mayCreate({ faults, is_covered: isCovered, rows }: PayoutBatchPreview["attributes"]) {
  return faults.length === 0 && isCovered && rows.length > 0;
}

/** What is sent, and the buttons that send it or lead back to the form. */
function ConfirmBar({
  values,
  attributes,
  isCreating,
  onBack,
  onConfirm,
}: {
  readonly values: BatchValues;
  readonly attributes: PayoutBatchPreview["attributes"];
  readonly isCreating: boolean;
  readonly onBack: () => void;
  readonly onConfirm: () => void;
}) {
  const stopId = useId();
  const currencies = useCurrencies();
  const { value, code: fiat } = useFiatSum(batchTotals(attributes, values.currency, currencies));
  const worth = value == null ? null : `${amountText(value.amount)} ${fiat}`;
  const stop = useStop({
    walletId: values.wallet,
    chain: codeOf(currencies, coinOf(currencies, values.currency)),
  });
  const count = attributes.rows.length;
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" component="div">
        {rich("{amount} in {payouts}, plus fees", {
          amount: <Amount value={attributes.amount} code={codeOf(currencies, values.currency)} />,
          payouts: plural(count, "{count} payout", "{count} payouts"),
        })}
        {stop === undefined ? null : <div id={stopId}>{t("Payouts are stopped")}</div>}
      </Text>
      <Group gap="sm">
        <Button variant="default" disabled={isCreating} onClick={onBack}>
          {t("Back")}
        </Button>
        <Button
          className="long-label"
          disabled={!mayCreate(attributes) || stop !== undefined}
          loading={isCreating}
          onClick={onConfirm}
          {...(stop === undefined ? {} : { "aria-describedby": stopId })}
        >
          {confirmText(count, worth, attributes.needs_approval)}
        </Button>
      </Group>
    </Group>
  );
}

/** "Send 50 payouts (about 1,234.56 USD)"; without a price, only the number. */
function confirmText(count: number, value: string | null, needsApproval: boolean): string {
  if (value === null)
    return needsApproval
      ? plural(count, "Request approval for 1 payout", "Request approval for {count} payouts")
      : plural(count, "Send 1 payout", "Send {count} payouts");
  return needsApproval
    ? plural(
        count,
        "Request approval for 1 payout (about {value})",
        "Request approval for {count} payouts (about {value})",
        { value },
      )
    : plural(count, "Send 1 payout (about {value})", "Send {count} payouts (about {value})", {
        value,
      });
}
