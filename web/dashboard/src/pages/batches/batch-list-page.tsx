import { IconFileUpload } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { listSource, type RowOf } from "../../api/list-source.ts";
import { rowCode, useCurrencies, useWallets } from "../../api/lookups.ts";
import { ButtonLink } from "../../components/button-link.tsx";
import { EmptyList } from "../../components/empty-list.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { amountColumn, createdColumn } from "../../components/list-columns.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";
import { StoppedPayouts } from "../operations/stopped-payouts.tsx";
import { walletFilter } from "../wallets/wallet-choices.ts";
import { batchState, createdText } from "./batch-words.ts";

const source = listSource("/payout-batch/");
type Row = RowOf<typeof source>;

/** The account's bulk payouts. */
export function BatchListPage() {
  const navigate = useNavigate();
  const { mayPay } = useRole();
  const create = mayPay ? (
    <ButtonLink to="/batches/new" leftSection={<IconFileUpload size={16} />}>
      {t("Upload CSV")}
    </ButtonLink>
  ) : null;
  return (
    <>
      <PageHeader
        title={t("Bulk payouts")}
        description={t("Many payouts from one CSV file, with a preview and one approval.")}
        actions={create}
      />
      <StoppedPayouts />
      <ResourceTable
        name="Bulk payouts"
        source={source}
        columns={useColumns()}
        filters={useFilters()}
        search={{ label: t("Reference"), toFilter: (reference) => ({ reference }) }}
        onOpen={({ id }) => void navigate({ to: "/batches/$batchId", params: { batchId: id } })}
        empty={
          <EmptyList icon={IconFileUpload} title={t("No bulk payouts yet")} action={create}>
            {t(
              "Upload a CSV file with an address and an amount in each row. You see every fee before anything is sent.",
            )}
          </EmptyList>
        }
      />
    </>
  );
}

function useFilters(): readonly FilterField[] {
  const wallets = useWallets();
  return useMemo(
    () => [walletFilter(wallets), { kind: "days", name: "created_at", label: t("Created") }],
    [wallets],
  );
}

function useColumns(): readonly TableColumn<Row>[] {
  const currencies = useCurrencies();
  const wallets = useWallets();
  return useMemo((): readonly TableColumn<Row>[] => {
    const walletOf = ({ relationships }: Row) =>
      wallets.get(relationships.wallet.data.id)?.attributes.label ?? relationships.wallet.data.id;
    return [
      {
        id: "reference",
        header: "Reference",
        cell: ({ id, attributes }) => (
          <TextLink to="/batches/$batchId" params={{ batchId: id }}>
            {attributes.reference}
          </TextLink>
        ),
        csv: ({ attributes }) => attributes.reference,
      },
      {
        id: "state",
        header: "Status",
        cell: ({ attributes }) => <StatusBadge {...batchState(attributes)} />,
        csv: ({ attributes }) => batchState(attributes).label,
      },
      {
        id: "created",
        header: "Payouts created",
        align: "end",
        cell: ({ attributes }) => createdText(attributes),
        csv: ({ attributes }) => createdText(attributes),
      },
      amountColumn("amount", "Amount", rowCode(currencies)),
      { id: "wallet", header: "From", cell: walletOf, csv: walletOf },
      createdColumn,
    ];
  }, [currencies, wallets]);
}
