import { Alert, Stack } from "@mantine/core";
import type { PayoutBatchPreview } from "../../../../../client/src/api-types.gen.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { plural, t } from "../../language/t.ts";
import { BatchFaults } from "./batch-faults.tsx";
import { BatchRecipient } from "./batch-recipient.tsx";
import { BatchTotals } from "./batch-totals.tsx";

type Attributes = PayoutBatchPreview["attributes"];

/** What a file would pay: its faults, the sums and every row. */
export function BatchPreview({
  attributes,
  wallet: walletId,
  currency,
}: {
  readonly attributes: Attributes;
  /** The ID of the paying wallet. */
  readonly wallet: string;
  /** The ID of the payment currency. */
  readonly currency: string;
}) {
  const currencies = useCurrencies();
  const code = codeOf(currencies, currency);
  const wallet = useWallets().get(walletId);
  const { rows, faults, existing } = attributes;
  return (
    <Stack>
      {existing === null ? null : (
        <Alert
          color="blue"
          title={plural(
            Number(existing["created"]),
            "{count} payout of this batch already exists",
            "{count} payouts of this batch already exist",
          )}
        >
          {rows.length === 0
            ? t("Nothing is left to create.")
            : t("Only the missing ones are created.")}{" "}
          <TextLink to="/batches/$batchId" params={{ batchId: String(existing["id"]) }}>
            {t("View the batch")}
          </TextLink>
        </Alert>
      )}
      {faults.length === 0 ? null : (
        <Alert color="red" role="alert" title={t("Correct the file and upload it again")}>
          <BatchFaults faults={faults} />
        </Alert>
      )}
      {faults.length > 0 || attributes.is_covered || rows.length === 0 ? null : (
        <Alert color="red" role="alert" title={t("Insufficient funds")}>
          {t("The wallet's balance doesn't cover amounts, commission and network fees.")}
        </Alert>
      )}
      <BatchTotals
        sums={attributes}
        currency={currency}
        details={[
          { label: t("Payouts"), value: rows.length },
          {
            label: t("Available balance"),
            value: (
              <Amount
                value={wallet?.attributes.balance_confirmed ?? null}
                code={codeOf(currencies, walletCurrency(wallet))}
              />
            ),
          },
        ]}
      />
      <FileRows attributes={attributes} code={code} />
    </Stack>
  );
}

/** Every row of the file that can be read. */
function FileRows({
  attributes,
  code,
}: {
  readonly attributes: Attributes;
  readonly code: string | null;
}) {
  return (
    <MiniTable
      name="Payouts in the file"
      rows={attributes.rows.map((row) => ({ ...row, id: String(row.row) }))}
      empty={t("No payouts.")}
      columns={[
        { header: "Row", cell: ({ row }) => row },
        {
          header: "Recipient",
          cell: (row) => <BatchRecipient {...row} />,
        },
        {
          header: "Amount",
          align: "end",
          cell: ({ amount }) => <Amount value={amount ?? null} code={code} />,
        },
        {
          header: "Network fee",
          align: "end",
          cell: ({ fee, is_internal }) =>
            is_internal === true ? (
              t("None (internal)")
            ) : (
              <Amount value={fee ?? null} code={attributes.fee_currency} />
            ),
        },
      ]}
    />
  );
}
