import { IconReportMoney } from "@tabler/icons-react";
import { useMemo } from "react";
import { listSource, type RowOf } from "../../api/list-source.ts";
import { rowCode, useCurrencies, useWallets } from "../../api/lookups.ts";
import { EmptyList } from "../../components/empty-list.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { amountColumn } from "../../components/list-columns.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { t } from "../../language/t.ts";
import { walletFilter } from "../wallets/wallet-choices.ts";
import { recentMonths } from "./recent-months.ts";

const source = listSource("/monthly-statement/");
type Row = RowOf<typeof source>;

const monthsOffered = 60;

/** Each wallet's month from the ledger, for accounting. */
export function StatementListPage() {
  return (
    <>
      <PageHeader
        title={t("Statements")}
        description={t(
          "Each wallet's month from the ledger: opening balance, payments, refunds, payouts, fees and closing balance. Months are in UTC.",
        )}
      />
      <ResourceTable
        name="Statements"
        source={source}
        columns={useColumns()}
        filters={useFilters()}
        empty={
          <EmptyList icon={IconReportMoney} title={t("No statements")}>
            {t("A wallet's first payment starts its first statement.")}
          </EmptyList>
        }
      />
    </>
  );
}

function useFilters(): readonly FilterField[] {
  const wallets = useWallets();
  return useMemo(() => {
    const choices = recentMonths(new Date(), monthsOffered);
    return [
      { kind: "choice", name: "month_from", label: t("First month"), choices },
      { kind: "choice", name: "month_to", label: t("Last month"), choices },
      walletFilter(wallets),
    ];
  }, [wallets]);
}

function useColumns(): readonly TableColumn<Row>[] {
  const currencies = useCurrencies();
  return useMemo((): readonly TableColumn<Row>[] => {
    const code = rowCode(currencies);
    return [
      {
        id: "month",
        header: "Month",
        cell: ({ attributes }) => <span className="one-line">{attributes.month}</span>,
        csv: ({ attributes }) => attributes.month,
      },
      {
        id: "wallet",
        header: "Wallet",
        cell: ({ attributes, relationships }) => (
          <TextLink to="/wallets/$walletId" params={{ walletId: relationships.wallet.data.id }}>
            {attributes.wallet_label}
          </TextLink>
        ),
        csv: ({ attributes }) => attributes.wallet_label,
      },
      amountColumn("opening_balance", "Opening balance", code),
      amountColumn("payments", "Payments", code),
      { ...amountColumn("transfers_in", "Transfers in", code), isOptional: true },
      amountColumn("refunds", "Refunds", code),
      amountColumn("payouts", "Payouts", code),
      amountColumn("fees", "Fees", code),
      { ...amountColumn("adjustments", "Adjustments", code), isOptional: true },
      amountColumn("closing_balance", "Closing balance", code),
    ];
  }, [currencies]);
}
