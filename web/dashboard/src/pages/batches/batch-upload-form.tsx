import { Box, Button, Card, Code, FileInput, Group, Select, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { Fragment } from "react";
import type { PayoutBatchPreview, Wallet } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { csvLine } from "../../components/csv.ts";
import { isPositive } from "../../components/decimals.ts";
import { DialogForm } from "../../components/dialog-form.tsx";
import { downloadCsv } from "../../components/export-csv.ts";
import { TravelRuleReason } from "../../components/travel-rule-reason.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";
import { currencyChainChoices, usableCurrencies } from "../currencies/currency-choices.ts";
import { useStop } from "../operations/use-kill-switches.ts";
import { Available } from "../payouts/available.tsx";
import { useTravelRule } from "../payouts/payout-queries.ts";
import { onlyCurrencyOf, PayingWalletSelect } from "../wallets/wallet-select.tsx";
import { type BatchValues, coinOf, emptyBatch, related, speeds } from "./batch-values.ts";

const optionalColumns = ["tag", "label", "tracking_id"];
const recipientColumns = ["first_name", "last_name", "company", "country", "street"];

/** A file that can be filled in: its addresses are no addresses, so that nobody pays them. */
function downloadExample(): void {
  const columns = ["address", "amount", "label", "first_name", "last_name", "street", "country"];
  downloadCsv("bulk-payout-example", [
    csvLine(columns),
    csvLine(["ADDRESS-1", "25.50", "invoice-1", "ada", "doe", "1 High Street", "GB"]),
    csvLine(["ADDRESS-2", "100", "invoice-2", "kim", "roe", "2 High Street", "GB"]),
  ]);
}

/** The columns of a file; recipient details are named as required where payouts of any amount need them. */
function ColumnsHint({ wallet, currency }: Pick<BatchValues, "wallet" | "currency">) {
  const rule = useTravelRule({ wallet, currency });
  const columns = {
    address: <Code>address</Code>,
    amount: <Code>amount</Code>,
    details: codes(recipientColumns),
    others: codes(optionalColumns),
  };
  return rule !== null && (rule.from === null || !isPositive(rule.from))
    ? rich(
        "Columns {address}, {amount} and the recipient's details ({details}); optionally {others}. Up to 250 payouts.",
        columns,
      )
    : rich(
        "Columns {address} and {amount}; the recipient's details ({details}) where they are required; optionally {others}. Up to 250 payouts.",
        columns,
      );
}

function codes(columns: readonly string[]) {
  return columns.map((column, index) => (
    <Fragment key={column}>
      {index === 0 ? "" : ", "}
      <Code>{column}</Code>
    </Fragment>
  ));
}

/** Which columns a recipient needs, from which amount, and a file that has them. */
function RecipientsHint({ wallet, currency }: Pick<BatchValues, "wallet" | "currency">) {
  const rule = useTravelRule({ wallet, currency });
  const code = codeOf(useCurrencies(), currency);
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <Box flex="1 1 18rem">
        <TravelRuleReason rule={rule} code={code}>
          {t(
            "Recipient details (travel rule) are first_name, last_name and street of a person, or company and street.",
          )}
        </TravelRuleReason>
      </Box>
      <Button variant="default" size="xs" onClick={downloadExample}>
        {t("Download example")}
      </Button>
    </Group>
  );
}

/** The file and what it is paid from. `initial` null starts empty. */
export function BatchUploadForm({
  wallets,
  initial,
  onPreview,
}: {
  readonly wallets: readonly Wallet[];
  readonly initial: BatchValues | null;
  readonly onPreview: (values: BatchValues, preview: PayoutBatchPreview) => void;
}) {
  const { form, ...sending } = useApiForm({
    initialValues: initial ?? emptyBatch,
    validate: { file: (file) => (file === null ? t("Select a file.") : null) },
    fieldOf: (pointer) => {
      const field = /^\/data\/\w+\/(\w+)/.exec(pointer)?.[1] ?? null;
      return field === "csv" ? "file" : field;
    },
    send: async (values) => {
      const csv = await readFile(values.file);
      if (csv === null) return null;
      const { data } = await api.post("/payout-batch/preview/", {
        attributes: { csv, reference: values.reference.trim(), fee_speed: values.fee_speed },
        relationships: related(values),
      });
      return { csv, data };
    },
    onDone: (answer, values) => {
      if (answer !== null) {
        onPreview({ ...values, csv: answer.csv }, answer.data);
        return;
      }
      form.setFieldValue("file", null);
      form.setFieldError("file", t("The file has changed. Choose it again."));
    },
  });
  const currencies = useCurrencies();
  const { wallet, currency } = form.values;
  const stop = useStop({
    walletId: wallet === "" ? null : wallet,
    chain: codeOf(currencies, coinOf(currencies, currency)),
  });
  return (
    <Card maw={720}>
      <DialogForm
        {...sending}
        action={t("Preview")}
        obstacle={stop === undefined ? null : t("Payouts are stopped")}
        onClose={() => {
          history.back();
        }}
      >
        <SourceFields form={form} wallets={wallets} />
        <TextInput
          label={t("Reference")}
          description={t(
            "Your name for this batch, such as “Salaries January”. If you upload the same file again under this name, nothing is paid twice.",
          )}
          required
          maxLength={64}
          {...form.getInputProps("reference")}
        />
        <FileInput
          label={t("CSV file")}
          description={<ColumnsHint wallet={wallet} currency={currency} />}
          placeholder={t("Choose a file")}
          required
          clearable
          clearButtonProps={{ "aria-label": t("Remove file") }}
          accept=".csv,text/csv"
          {...form.getInputProps("file")}
        />
        <RecipientsHint wallet={wallet} currency={currency} />
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
      <PayingWalletSelect
        wallets={wallets}
        {...form.getInputProps("wallet")}
        onChoose={(chosen) => {
          form.setFieldValue("wallet", chosen?.id ?? "");
          form.setFieldValue("currency", onlyCurrencyOf(chosen));
          form.clearErrors();
        }}
      />
      {wallet === undefined ? null : <Available wallet={wallet} />}
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

/** The text of the file; null if it can't be read, which is so once it was changed after it was chosen. */
async function readFile(file: File | null): Promise<string | null> {
  try {
    return (await file?.text()) ?? "";
  } catch {
    return null;
  }
}
