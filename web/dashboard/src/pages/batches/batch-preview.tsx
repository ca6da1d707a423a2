import { Alert, Stack, Text } from "@mantine/core";
import type { PayoutBatchPreview } from "../../../../../client/src/api-types.gen.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { TextLink } from "../../components/text-link.tsx";

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
        <Alert color="blue" title={`${existing["created"]} payouts of this batch exist already`}>
          {rows.length === 0
            ? "Nothing is left to create. "
            : "Only the missing ones are created. "}
          <TextLink to="/batches/$batchId" params={{ batchId: String(existing["id"]) }}>
            View the batch
          </TextLink>
        </Alert>
      )}
      {faults.length === 0 ? null : (
        <Alert color="red" role="alert" title="Correct the file and upload it again">
          <ul className="plain-list">
            {faults.map(({ row, column, detail }) => (
              <li key={`${row} ${column ?? ""} ${detail}`}>
                Row {row}
                {column === null ? "" : `, ${column}`}: {detail}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {faults.length > 0 || attributes.is_covered || rows.length === 0 ? null : (
        <Alert color="red" role="alert" title="Insufficient funds">
          The wallet's balance doesn't cover amounts, commission and network fees.
        </Alert>
      )}
      <DetailList
        details={[
          { label: "Payouts", value: rows.length },
          { label: "Amount", value: <Amount value={attributes.amount} code={code} /> },
          {
            label: "Network fees",
            value: <Amount value={attributes.fees} code={attributes.fee_currency} />,
          },
          { label: "Commission", value: <Amount value={attributes.commission} code={code} /> },
        ]}
      />
      <MiniTable
        name="Payouts in the file"
        rows={rows.map((row) => ({ ...row, id: String(row.row) }))}
        empty="No payouts."
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
                "None (internal)"
              ) : (
                <Amount value={fee ?? null} code={attributes.fee_currency} />
              ),
          },
        ]}
      />
    </Stack>
  );
}
