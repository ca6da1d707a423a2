import {
  Alert,
  Button,
  Card,
  Code,
  FileInput,
  Group,
  Select,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import type { PayoutBatchPreview, Wallet } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, walletCurrency, walletsQuery } from "../../api/lookups.ts";
import { csvLine } from "../../components/csv.ts";
import { DialogForm } from "../../components/dialog-form.tsx";
import { downloadCsv } from "../../components/export-csv.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { useAction } from "../../components/use-action.ts";
import { useApiForm } from "../../components/use-api-form.ts";
import { rich } from "../../language/rich.tsx";
import { plural, t } from "../../language/t.ts";
import { currencyChainChoices, usableCurrencies } from "../currencies/currency-choices.ts";
import { StoppedPayouts } from "../operations/stopped-payouts.tsx";
import { walletTypeChoices } from "../wallets/wallet-choices.ts";
import { BatchPreview } from "./batch-preview.tsx";
import { feesMaxOf } from "./fees-max.ts";

const optionalColumns = [
  "tag",
  "label",
  "tracking_id",
  "first_name",
  "last_name",
  "company",
  "country",
  "street",
];

/** A file that can be filled in: its addresses are no addresses, so that nobody pays them. */
function downloadExample(): void {
  const columns = ["address", "amount", "label", "first_name", "last_name", "street", "country"];
  downloadCsv("bulk-payout-example", [
    csvLine(columns),
    csvLine(["ADDRESS-1", "25.50", "invoice-1", "ada", "doe", "1 High Street", "GB"]),
    csvLine(["ADDRESS-2", "100", "invoice-2", "kim", "roe", "2 High Street", "GB"]),
  ]);
}

/** Which columns a recipient needs, and a file that has them. */
function RecipientsHint() {
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <Text size="sm" c="dimmed" flex="1 1 18rem">
        {t(
          "Unless an operator excuses the amount (travel rule), each row names its recipient: first_name, last_name and street, or company and street.",
        )}
      </Text>
      <Button variant="default" size="xs" onClick={downloadExample}>
        {t("Download example")}
      </Button>
    </Group>
  );
}

const speeds = [
  { value: "low", label: t("Slow") },
  { value: "medium", label: t("Standard") },
  { value: "high", label: t("Fast") },
] as const;

type BatchValues = {
  readonly wallet: string;
  readonly currency: string;
  readonly reference: string;
  readonly fee_speed: (typeof speeds)[number]["value"];
  readonly file: File | null;
  readonly csv: string;
};

/** Uploads a file, shows what it would pay, and creates its payouts. */
export function NewBatchPage() {
  const wallets = useQuery(walletsQuery);
  const [previewed, setPreviewed] = useState<{
    readonly values: BatchValues;
    readonly preview: PayoutBatchPreview;
  } | null>(null);
  return (
    <>
      <PageHeader
        title={t("New bulk payout")}
        back={{ to: "/batches", label: t("Bulk payouts") }}
        description={t("Upload a CSV file. Nothing is sent before you have seen the preview.")}
      />
      <StoppedPayouts />
      {previewed === null ? (
        <UploadForm
          wallets={(wallets.data ?? []).filter(({ attributes }) =>
            [1, 2, 5].includes(attributes.type),
          )}
          onPreview={(values, preview) => {
            setPreviewed({ values, preview });
          }}
        />
      ) : (
        <Confirmation
          {...previewed}
          onBack={() => {
            setPreviewed(null);
          }}
        />
      )}
    </>
  );
}

const related = ({ wallet, currency }: BatchValues) => ({
  wallet: { type: "wallet" as const, id: wallet },
  currency: { type: "currency" as const, id: currency },
});

function UploadForm({
  wallets,
  onPreview,
}: {
  readonly wallets: readonly Wallet[];
  readonly onPreview: (values: BatchValues, preview: PayoutBatchPreview) => void;
}) {
  const initialValues: BatchValues = {
    wallet: "",
    currency: "",
    reference: "",
    fee_speed: "medium",
    file: null,
    csv: "",
  };
  const { form, ...sending } = useApiForm({
    initialValues,
    validate: { file: (file) => (file === null ? t("Select a file.") : null) },
    fieldOf: (pointer) => {
      const field = /^\/data\/\w+\/(\w+)/.exec(pointer)?.[1] ?? null;
      return field === "csv" ? "file" : field;
    },
    send: async (values) => {
      const csv = (await values.file?.text()) ?? "";
      const { data } = await api.post("/payout-batch/preview/", {
        attributes: { csv, reference: values.reference.trim(), fee_speed: values.fee_speed },
        relationships: related(values),
      });
      return { csv, data };
    },
    onDone: ({ csv, data }, values) => {
      onPreview({ ...values, csv }, data);
    },
  });
  return (
    <Card maw={720}>
      <DialogForm
        {...sending}
        action={t("Preview")}
        onClose={() => {
          history.back();
        }}
      >
        <SourceFields form={form} wallets={wallets} />
        <TextInput
          label={t("Reference")}
          description={t(
            "Your name for this batch, such as “Salaries January”. Uploading the same file with it again pays nothing twice.",
          )}
          required
          maxLength={64}
          {...form.getInputProps("reference")}
        />
        <FileInput
          label={t("CSV file")}
          description={
            <>
              {rich("Columns {address} and {amount}; optionally {others}. Up to 250 payouts.", {
                address: <Code>address</Code>,
                amount: <Code>amount</Code>,
                others: optionalColumns.map((column, index) => (
                  <Fragment key={column}>
                    {index === 0 ? "" : ", "}
                    <Code>{column}</Code>
                  </Fragment>
                )),
              })}
            </>
          }
          placeholder={t("Choose a file")}
          required
          clearable
          accept=".csv,text/csv"
          {...form.getInputProps("file")}
        />
        <RecipientsHint />
        <Select
          label={t("Network fee")}
          allowDeselect={false}
          data={[...speeds]}
          {...form.getInputProps("fee_speed")}
        />
      </DialogForm>
    </Card>
  );
}

/** The wallet, and the currency where the wallet pays several. */
function SourceFields({
  form,
  wallets,
}: {
  readonly form: UseFormReturnType<BatchValues>;
  readonly wallets: readonly Wallet[];
}) {
  const currencies = useCurrencies();
  const wallet = wallets.find(({ id }) => id === form.values.wallet);
  return (
    <>
      <Select
        label={t("From wallet")}
        required
        allowDeselect={false}
        data={walletTypeChoices(wallets, currencies)}
        {...form.getInputProps("wallet")}
        onChange={(id: string | null) => {
          const chosen = wallets.find((candidate) => candidate.id === id);
          form.setFieldValue("wallet", id ?? "");
          form.setFieldValue(
            "currency",
            chosen?.attributes.type === 1 ? "" : (walletCurrency(chosen) ?? ""),
          );
          form.clearErrors();
        }}
      />
      {wallet?.attributes.type === 1 ? (
        <Select
          label={t("Currency")}
          required
          searchable
          allowDeselect={false}
          nothingFoundMessage={t("No matching currency")}
          data={currencyChainChoices(usableCurrencies(currencies))}
          {...form.getInputProps("currency")}
        />
      ) : null}
    </>
  );
}

function Confirmation({
  values,
  preview,
  onBack,
}: {
  readonly values: BatchValues;
  readonly preview: PayoutBatchPreview;
  readonly onBack: () => void;
}) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const code = codeOf(useCurrencies(), values.currency);
  const { attributes } = preview;
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
      await queries.invalidateQueries();
      void navigate({ to: "/batches/$batchId", params: { batchId: data.id } });
    },
  });
  const count = attributes.rows.length;
  const canCreate = attributes.faults.length === 0 && attributes.is_covered && count > 0;
  return (
    <Card>
      <Stack>
        <BatchPreview attributes={attributes} code={code} />
        {attributes.needs_approval && canCreate ? (
          <Alert color="blue" title={t("Needs approval")}>
            {t("Another member approves this batch before anything is sent. Funds are reserved.")}
          </Alert>
        ) : null}
        {creating.error === null ? null : (
          <>
            <ErrorAlert error={creating.error} />
            <Text size="sm">
              {t("Some payouts may exist already. Create again: nothing is paid twice.")}
            </Text>
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" disabled={creating.isPending} onClick={onBack}>
            {t("Back")}
          </Button>
          <Button
            disabled={!canCreate}
            loading={creating.isPending}
            onClick={() => {
              creating.mutate();
            }}
          >
            {plural(count, "Create 1 payout", "Create {count} payouts")}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
