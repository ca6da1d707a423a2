import { IconMoodPuzzled } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { listSource, type RowOf } from "../../api/list-source.ts";
import { rowCode, useCurrencies } from "../../api/lookups.ts";
import { CodeText } from "../../components/code-text.tsx";
import { EmptyList } from "../../components/empty-list.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { amountColumn, currencyColumn, idColumn } from "../../components/list-columns.tsx";
import { OperatorsOnly } from "../../components/operators-only.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { StatusBadge, statusChoices, statusLabel } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { t } from "../../language/t.ts";
import { currencyFilter } from "../currencies/currency-choices.ts";

const source = listSource("/unattributed/");
type Row = RowOf<typeof source>;

/** Payments to shared accounts without a deposit's tag, for operators. */
export function UnattributedListPage() {
  const navigate = useNavigate();
  return (
    <OperatorsOnly title={t("Unattributed payments")}>
      <PageHeader
        title={t("Unattributed payments")}
        description={t(
          "Payments to an account that several deposits share, without a valid tag. Assign each to its deposit, or return it.",
        )}
      />
      <ResourceTable
        name="Unattributed payments"
        source={source}
        columns={useColumns()}
        filters={useFilters()}
        search={{ label: t("Search by ID or transaction"), toFilter }}
        onOpen={({ id }) =>
          void navigate({ to: "/unattributed/$paymentId", params: { paymentId: id } })
        }
        empty={
          <EmptyList icon={IconMoodPuzzled} title={t("No unattributed payments")}>
            {t("When a payer forgets or mistypes the tag of a deposit, the payment appears here.")}
          </EmptyList>
        }
      />
    </OperatorsOnly>
  );
}

function toFilter(text: string): Readonly<Record<string, string>> {
  return /^#?[1-9]\d{0,7}$/.test(text) ? { id: text.replace("#", "") } : { txid: text };
}

function useFilters(): readonly FilterField[] {
  const currencies = useCurrencies();
  return useMemo(
    () => [
      { kind: "choice", name: "state", label: t("Status"), choices: statusChoices("unattributed") },
      currencyFilter(currencies.values()),
      { kind: "amount", name: "amount", label: t("Amount") },
      { kind: "text", name: "tag", label: t("Tag") },
      { kind: "text", name: "from_address", label: t("Sender") },
      { kind: "days", name: "received_at", label: t("Received") },
    ],
    [currencies],
  );
}

function useColumns(): readonly TableColumn<Row>[] {
  const currencies = useCurrencies();
  return useMemo(() => {
    const code = rowCode(currencies);
    return [
      idColumn("Payment", (id) => (
        <TextLink to="/unattributed/$paymentId" params={{ paymentId: id }}>
          {id}
        </TextLink>
      )),
      {
        id: "state",
        header: "Status",
        cell: ({ attributes }) => <StatusBadge kind="unattributed" value={attributes.state} />,
        csv: ({ attributes }) => statusLabel("unattributed", attributes.state),
      },
      amountColumn("amount", "Amount", code),
      currencyColumn(code),
      {
        id: "tag",
        header: "Tag",
        cell: ({ attributes }) => attributes.tag ?? t("None|tag"),
        csv: ({ attributes }) => attributes.tag ?? "",
      },
      ...chainColumns,
    ];
  }, [currencies]);
}

const chainColumns: readonly TableColumn<Row>[] = [
  {
    id: "from_addresses",
    header: "Sender",
    cell: ({ attributes }) => <CodeText {...senderOf(attributes)} label="sender" isShort />,
    csv: ({ attributes }) => attributes.from_addresses.join(" "),
  },
  {
    id: "address",
    header: "Reached",
    isOptional: true,
    cell: ({ attributes }) => <CodeText value={attributes.address} label="address" isShort />,
    csv: ({ attributes }) => attributes.address,
  },
  {
    id: "txid",
    header: "Transaction",
    cell: ({ attributes }) => <CodeText value={attributes.txid} label="transaction ID" isShort />,
    csv: ({ attributes }) => attributes.txid,
  },
  {
    id: "received_at",
    header: "Received",
    sort: "received_at",
    cell: ({ attributes }) => <TimeText value={attributes.received_at} />,
    csv: ({ attributes }) => attributes.received_at,
  },
  {
    id: "reason",
    header: "Reason",
    isOptional: true,
    cell: ({ attributes }) => attributes.reason ?? "–",
    csv: ({ attributes }) => attributes.reason ?? "",
  },
];

/** The first sender; the payment's page lists all. */
function senderOf(attributes: Row["attributes"]): { readonly value: string | null } {
  return { value: attributes.from_addresses[0] ?? null };
}
