import { IconTransfer } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { listSource, type RowOf } from "../../api/list-source.ts";
import { codeOf, rowCode, useCurrencies, useWallets } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { confirmationsText } from "../../components/confirmation-progress.tsx";
import { EmptyList } from "../../components/empty-list.tsx";
import { feeFiatColumn, feeFiatOf, fiatColumn, fiatOf } from "../../components/fiat-values.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import {
  amountColumn,
  createdColumn,
  idColumn,
  transferStatusColumn,
} from "../../components/list-columns.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { statusChoices } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { t } from "../../language/t.ts";
import { currencyFilter } from "../currencies/currency-choices.ts";
import { walletFilter } from "../wallets/wallet-choices.ts";
import {
  directionText,
  operationChoices,
  riskChoices,
  riskText,
  sourceText,
} from "./transfer-labels.ts";

const source = listSource("/transfer/");
type Row = RowOf<typeof source>;

/** The account's transfers. */
export function TransferListPage() {
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title={t("Transfers")} description={t("All on-chain and internal transfers.")} />
      <ResourceTable
        name="Transfers"
        source={source}
        columns={useColumns()}
        filters={useFilters()}
        search={{ label: t("Search by transaction"), toFilter: (txid) => ({ txid }) }}
        onOpen={({ id }) =>
          void navigate({ to: "/transfers/$transferId", params: { transferId: id } })
        }
        empty={
          <EmptyList icon={IconTransfer} title={t("No transfers yet")}>
            {t(
              "Payments and payouts appear here with their transaction and confirmations. Create a deposit to receive the first one.",
            )}
          </EmptyList>
        }
      />
    </>
  );
}

function useFilters(): readonly FilterField[] {
  const currencies = useCurrencies();
  const wallets = useWallets();
  return useMemo(
    () => [
      { kind: "choice", name: "status", label: t("Status"), choices: statusChoices("transfer") },
      { kind: "choice", name: "op_type", label: t("Source"), choices: operationChoices },
      walletFilter(wallets),
      currencyFilter(currencies.values()),
      { kind: "choice", name: "risk_status", label: t("Screening"), choices: riskChoices },
      { kind: "amount", name: "amount", label: t("Amount") },
      { kind: "text", name: "op_id", label: t("Deposit or payout ID") },
      { kind: "days", name: "created_at", label: t("Created") },
    ],
    [currencies, wallets],
  );
}

function useColumns(): readonly TableColumn<Row>[] {
  const currencies = useCurrencies();
  return useMemo((): readonly TableColumn<Row>[] => {
    const code = rowCode(currencies);
    const feeCode = ({ attributes }: Row) => codeOf(currencies, attributes.fee_currency);
    return [
      idColumn("Transfer", (id) => (
        <TextLink to="/transfers/$transferId" params={{ transferId: id }}>
          {id}
        </TextLink>
      )),
      {
        id: "op_type",
        header: "Source",
        cell: ({ attributes }) => (
          <span className="one-line">{sourceText(attributes.op_type, attributes.op_id)}</span>
        ),
        csv: ({ attributes }) => sourceText(attributes.op_type, attributes.op_id),
      },
      {
        id: "direction",
        header: "Direction",
        isOptional: true,
        cell: ({ attributes }) => directionText(attributes.op_type),
        csv: ({ attributes }) => directionText(attributes.op_type),
      },
      trackingColumn,
      transferStatusColumn,
      amountColumn("amount", "Amount", code),
      fiatColumn<Row>(currencies, fiatOf),
      { ...amountColumn("commission", "Commission", code), isOptional: true },
      {
        ...amountColumn("fee", "Network fee", feeCode),
        isOptional: true,
        cell: (row) => <Amount value={feeOf(row)} code={feeCode(row)} />,
        csv: (row) => feeOf(row) ?? "",
        csvCode: feeCode,
      },
      feeFiatColumn<Row>(currencies, feeFiatOf),
      {
        id: "confirmations",
        header: "Confirmations",
        align: "end",
        cell: ({ attributes, relationships }) => {
          const currency = currencies.get(relationships.currency.data?.id ?? "");
          const needed = currency?.attributes.confirmation_blocks ?? 0;
          if (attributes.txid === null) return "–";
          return needed === 0
            ? attributes.confirmations
            : confirmationsText(attributes.confirmations, needed);
        },
        csv: ({ attributes }) => String(attributes.confirmations),
      },
      ...chainColumns,
    ];
  }, [currencies]);
}

/** Of the deposit or payout; transfers are not sorted by it. */
const trackingColumn: TableColumn<Row> = {
  id: "tracking_id",
  header: "Tracking ID",
  isOptional: true,
  cell: ({ attributes }) => attributes.tracking_id ?? "–",
  csv: ({ attributes }) => attributes.tracking_id ?? "",
};

/** Null for transfers that no fee is charged for. */
function feeOf({ attributes }: Row): string | null {
  return attributes.fee_currency === null ? null : attributes.fee;
}

/** Columns about the transfer's transaction. */
const chainColumns: readonly TableColumn<Row>[] = [
  {
    id: "txid",
    header: "Transaction",
    cell: ({ attributes }) => <CodeText value={attributes.txid} label="transaction ID" isShort />,
    csv: ({ attributes }) => attributes.txid ?? "",
  },
  {
    id: "risk",
    header: "Screening",
    isOptional: true,
    cell: ({ attributes }) => riskText(attributes.risk_status, attributes.risk),
    csv: ({ attributes }) => riskText(attributes.risk_status, attributes.risk),
  },
  createdColumn,
];
