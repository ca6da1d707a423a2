import { IconArrowDownLeft, IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { listSource, type RowOf } from "../../api/list-source.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { useMe } from "../../api/me.ts";
import { ButtonLink } from "../../components/button-link.tsx";
import { EmptyList } from "../../components/empty-list.tsx";
import { fiatColumn, withFiatValues } from "../../components/fiat-values.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import {
  addressColumn,
  amountColumn,
  createdColumn,
  idColumn,
  labelColumn,
  stateColumn,
  trackingIdColumn,
} from "../../components/list-columns.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { PathLink } from "../../components/path-link.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { statusChoices } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useRole } from "../../components/use-role.ts";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";
import { currencyFilter, onChainCurrencies } from "../currencies/currency-choices.ts";
import { walletFilter } from "../wallets/wallet-choices.ts";
import { searchFilter } from "./search-filter.ts";

const source = withFiatValues(listSource("/deposit/"), "deposit");
type Row = RowOf<typeof source>;

/** The account's payment requests. */
export function DepositListPage() {
  const navigate = useNavigate();
  const { mayCreate } = useRole();
  const create = mayCreate ? (
    <ButtonLink to="/deposits/new" leftSection={<IconPlus size={16} />}>
      {t("New deposit")}
    </ButtonLink>
  ) : null;
  return (
    <>
      <PageHeader
        title={t("Deposits")}
        description={t("Payments requested from your customers.")}
        actions={create}
      />
      <ResourceTable
        name="Deposits"
        source={source}
        columns={useColumns()}
        filters={useFilters()}
        search={{ label: t("Label, tracking ID, address or ID"), toFilter: searchFilter }}
        onOpen={({ id }) =>
          void navigate({ to: "/deposits/$depositId", params: { depositId: id } })
        }
        empty={
          <EmptyList icon={IconArrowDownLeft} title={t("No deposits yet")} action={create}>
            <FirstSteps />
          </EmptyList>
        }
      />
    </>
  );
}

/** How to receive the first payment. */
function FirstSteps() {
  const isSandbox = useMe()?.is_sandbox === true;
  if (!isSandbox) {
    return t(
      "A deposit is a payment request. Create one and send its link or address to your customer.",
    );
  }
  return (
    <>
      {rich(
        "A deposit is a payment request. Create one and open its payment page. Then pay it with the {link}, or run {code} with the deposit's ID.",
        {
          link: <PathLink to="/simulator">{t("simulator")}</PathLink>,
          code: <code>npx sluice pay</code>,
        },
      )}
    </>
  );
}

function useFilters(): readonly FilterField[] {
  const currencies = useCurrencies();
  const wallets = useWallets();
  return useMemo(
    () => [
      { kind: "choice", name: "state", label: t("Status"), choices: statusChoices("deposit") },
      walletFilter(wallets),
      currencyFilter(onChainCurrencies(currencies), t("Payment currency")),
      { kind: "text", name: "tracking_id", label: t("Tracking ID") },
      { kind: "text", name: "address", label: t("Address") },
      { kind: "amount", name: "target_amount_requested", label: t("Requested amount") },
      { kind: "amount", name: "target_paid", label: t("Received amount") },
      { kind: "days", name: "created_at", label: t("Created") },
      { kind: "days", name: "expired_at", label: t("Expires") },
    ],
    [currencies, wallets],
  );
}

function useColumns(): readonly TableColumn<Row>[] {
  const currencies = useCurrencies();
  const wallets = useWallets();
  return useMemo(() => {
    const walletOf = ({ relationships }: Row) => wallets.get(relationships.wallet.data.id);
    const code = (row: Row) => codeOf(currencies, walletCurrency(walletOf(row)));
    return [
      idColumn("Deposit", (id) => (
        <TextLink to="/deposits/$depositId" params={{ depositId: id }}>
          {id}
        </TextLink>
      )),
      stateColumn("deposit"),
      labelColumn,
      { ...trackingIdColumn, isOptional: false },
      {
        id: "wallet",
        header: "Wallet",
        cell: (row) => walletOf(row)?.attributes.label ?? row.relationships.wallet.data.id,
        csv: (row) => walletOf(row)?.attributes.label ?? row.relationships.wallet.data.id,
      },
      amountColumn("target_amount_requested", "Requested", code),
      amountColumn("target_paid", "Received", code),
      { ...amountColumn("target_paid_pending", "Pending", code), isOptional: true },
      fiatColumn<Row>(currencies, ({ fiat }) => fiat),
      {
        id: "currency",
        header: "Payment currency",
        cell: (row) =>
          codeOf(currencies, row.relationships.currency.data?.id) ?? t("Payer chooses"),
        csv: (row) => codeOf(currencies, row.relationships.currency.data?.id) ?? "",
      },
      { ...addressColumn, isOptional: true },
      createdColumn,
    ];
  }, [currencies, wallets]);
}
