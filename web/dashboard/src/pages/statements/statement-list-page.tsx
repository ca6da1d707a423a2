import { Stack } from "@mantine/core";
import { IconReportMoney } from "@tabler/icons-react";
import { useMemo } from "react";
import { listSource, type RowOf } from "../../api/list-source.ts";
import { rowCode, useCurrencies, useWallets } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { truncateDecimal } from "../../components/decimals.ts";
import { EmptyList } from "../../components/empty-list.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { amountColumn } from "../../components/list-columns.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { TextLink } from "../../components/text-link.tsx";
import type { PlainText } from "../../language/catalogs.ts";
import { t } from "../../language/t.ts";
import { walletFilter } from "../wallets/wallet-choices.ts";
import { recentMonths } from "./recent-months.ts";
import { StatementTotalsSection } from "./statement-totals-section.tsx";

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
      <Stack>
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
        <StatementTotalsSection source={source} />
      </Stack>
    </>
  );
}

function useFilters(): readonly FilterField[] {
  const wallets = useWallets();
  return useMemo(() => {
    const choices = recentMonths(new Date(), monthsOffered);
    return [
      { kind: "choice", name: "month_from", label: t("From month"), choices },
      { kind: "choice", name: "month_to", label: t("To month"), choices },
      walletFilter(wallets),
    ];
  }, [wallets]);
}

type FiatColumn = Extract<keyof Row["attributes"], `${string}_fiat`>;

/** Values by fiat currency, shown in cents; CSV files have all digits. There are several in a month in which the account chose another. A single one has its code in a column of its own. */
function fiatSums(name: FiatColumn, header: PlainText): TableColumn<Row> {
  const sums = ({ attributes }: Row) => Object.entries(attributes[name]);
  return {
    id: name,
    header,
    align: "end",
    cell: (row) =>
      sums(row).length === 0 ? (
        <Amount value={null} />
      ) : (
        sums(row).map(([code, amount]) => (
          <div key={code}>
            <Amount value={truncateDecimal(amount, 2)} code={code} />
          </div>
        ))
      ),
    csv: (row) => {
      const [first, ...others] = sums(row);
      if (first === undefined) return "";
      const texts = [first, ...others].map(([code, amount]) => `${amount} ${code}`);
      return others.length === 0 ? first[1] : texts.join(" + ");
    },
    csvCode: (row) => {
      const [first, ...others] = sums(row);
      return first === undefined || others.length > 0 ? null : first[0];
    },
  };
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
      fiatSums("payments_fiat", "Payments (fiat)"),
      { ...fiatSums("transfers_in_fiat", "Transfers in (fiat)"), isOptional: true },
      { ...fiatSums("refunds_fiat", "Refunds (fiat)"), isOptional: true },
      { ...fiatSums("payouts_fiat", "Payouts (fiat)"), isOptional: true },
      { ...fiatSums("fees_fiat", "Fees (fiat)"), isOptional: true },
      {
        id: "unvalued",
        header: "Without fiat value",
        align: "end",
        isOptional: true,
        cell: ({ attributes }) => attributes.unvalued,
        csv: ({ attributes }) => String(attributes.unvalued),
      },
    ];
  }, [currencies]);
}
