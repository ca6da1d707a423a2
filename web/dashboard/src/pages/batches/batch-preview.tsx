import { Alert, Stack, Text } from "@mantine/core";
import type { PayoutBatchPreview } from "../../../../../client/src/api-types.gen.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { type Detail, DetailList } from "../../components/detail-list.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { errorText } from "../../language/error-text.ts";
import { t } from "../../language/t.ts";

type Attributes = PayoutBatchPreview["attributes"];

/** What a file would pay: its faults, the sums and every row. */
export function BatchPreview({
  attributes,
  code,
}: {
  readonly attributes: Attributes;
  readonly code: string | null;
}) {
  const { rows, faults, existing } = attributes;
  return (
    <Stack>
      {existing === null ? null : (
        <Alert
          color="blue"
          title={t("{count} payouts of this batch exist already", {
            count: String(existing["created"]),
          })}
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
          <ul className="plain-list">
            {faults.map((fault) => (
              <li key={faultText(fault)}>{faultText(fault)}</li>
            ))}
          </ul>
        </Alert>
      )}
      {faults.length > 0 || attributes.is_covered || rows.length === 0 ? null : (
        <Alert color="red" role="alert" title={t("Insufficient funds")}>
          {t("The wallet's balance doesn't cover amounts, commission and network fees.")}
        </Alert>
      )}
      <DetailList details={totalsOf(attributes, code)} />
      <MiniTable
        name="Payouts in the file"
        rows={rows.map((row) => ({ ...row, id: String(row.row) }))}
        empty={t("No payouts.")}
        columns={[
          { header: "Row", cell: ({ row }) => row },
          {
            header: "Recipient",
            cell: ({ address, label }) => (
              <>
                <CodeText value={address ?? null} label="address" isShort />
                {label === null || label === undefined ? null : (
                  <Text size="xs" c="dimmed">
                    {label}
                  </Text>
                )}
              </>
            ),
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
    </Stack>
  );
}

function faultText({ row, column, detail }: Attributes["faults"][number]): string {
  const where = { row: String(row), detail: errorText(detail) };
  return column === null
    ? t("Row {row}: {detail}", where)
    : t("Row {row}, {column}: {detail}", { ...where, column });
}

function totalsOf(attributes: Attributes, code: string | null): readonly Detail[] {
  return [
    { label: t("Payouts"), value: attributes.rows.length },
    { label: t("Amount"), value: <Amount value={attributes.amount} code={code} /> },
    {
      label: t("Network fees"),
      value: <Amount value={attributes.fees} code={attributes.fee_currency} />,
    },
    { label: t("Commission"), value: <Amount value={attributes.commission} code={code} /> },
  ];
}
