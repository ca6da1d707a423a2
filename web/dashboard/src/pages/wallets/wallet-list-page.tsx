import { Button, Card, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { IconPlus, IconWallet } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { listSource, type RowOf } from "../../api/list-source.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { EmptyList } from "../../components/empty-list.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { amountColumn, createdColumn, statusColumn } from "../../components/list-columns.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { statusChoices } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useRole } from "../../components/use-role.ts";
import { plural, t } from "../../language/t.ts";
import { currencyFilter } from "../currencies/currency-choices.ts";
import { FiatText } from "./fiat-text.tsx";
import { fiatValue } from "./fiat-value.ts";
import { NewWalletDialog } from "./new-wallet-dialog.tsx";
import { useFiat, usePrices } from "./use-prices.ts";
import { useTotalBalance } from "./use-total-balance.ts";
import { walletChoices } from "./wallet-choices.ts";
import { walletTypeName, walletTypes } from "./wallet-types.ts";

const source = listSource("/wallet/");
type Row = RowOf<typeof source>;

/** The account's wallets with their balances and fiat values. */
export function WalletListPage() {
  const navigate = useNavigate();
  const { mayAdminister } = useRole();
  const [isNew, setNew] = useState(false);
  const columns = useColumns();
  const create = mayAdminister ? (
    <Button
      leftSection={<IconPlus size={16} />}
      onClick={() => {
        setNew(true);
      }}
    >
      {t("New wallet")}
    </Button>
  ) : null;
  return (
    <>
      <PageHeader
        title={t("Wallets")}
        description={t("Your balances. Each wallet holds one currency.")}
        actions={create}
      />
      <Stack>
        <TotalBalance />
        <ResourceTable
          name="Wallets"
          source={source}
          columns={columns}
          filters={useFilters()}
          search={{ label: t("Search by label"), toFilter: (label) => ({ label }) }}
          onOpen={({ id }) => void navigate({ to: "/wallets/$walletId", params: { walletId: id } })}
          empty={
            <EmptyList icon={IconWallet} title={t("No wallets yet")} action={create}>
              {t(
                "A wallet holds one currency. Start with a Merchant wallet in dollars or euros: it lets you request payments in that currency and get paid in crypto.",
              )}
            </EmptyList>
          }
        />
      </Stack>
      <NewWalletDialog
        isOpen={isNew}
        onClose={() => {
          setNew(false);
        }}
      />
    </>
  );
}

/** The available balance of all wallets at current prices. */
function TotalBalance() {
  const fiat = useFiat();
  const total = useTotalBalance(fiat.id);
  if (total?.wallets === 0) return null;
  return (
    <Card>
      <Group justify="space-between">
        <div>
          <Text c="dimmed" size="sm">
            {t("Available balance")}
          </Text>
          <Text size="xl" fw={650} component="p" m={0}>
            <FiatText value={total} code={fiat.code} />
          </Text>
          {total === undefined || total.unpriced === 0 ? null : (
            <Text c="dimmed" size="sm">
              {plural(
                total.unpriced,
                "Excludes {count} wallet without a price.",
                "Excludes {count} wallets without a price.",
              )}
            </Text>
          )}
        </div>
        <NativeSelect
          label={t("Show in")}
          value={fiat.id}
          data={[...fiat.choices]}
          onChange={({ currentTarget }) => {
            fiat.choose(currentTarget.value);
          }}
        />
      </Group>
    </Card>
  );
}

function useFilters(): readonly FilterField[] {
  const currencies = useCurrencies();
  return useMemo(
    () => [
      {
        kind: "choice",
        name: "type",
        label: t("Type"),
        choices: walletTypes.map(({ value, label }) => ({ value, label: t(label) })),
      },
      { kind: "choice", name: "status", label: t("Status"), choices: statusChoices("wallet") },
      currencyFilter(currencies.values()),
      { kind: "days", name: "created_at", label: t("Created") },
    ],
    [currencies],
  );
}

function useColumns(): readonly TableColumn<Row>[] {
  const currencies = useCurrencies();
  const wallets = useWallets();
  const fiat = useFiat();
  const prices = usePrices(
    [...wallets.values()].map((wallet) => walletCurrency(wallet) ?? ""),
    fiat.id,
  );
  return useMemo(() => {
    const code = (row: Row): string => codeOf(currencies, walletCurrency(row)) ?? "";
    const value = (row: Row) =>
      prices === null
        ? undefined
        : fiatValue(row.attributes.balance_confirmed, walletCurrency(row) ?? "", fiat.id, prices);
    const names = new Map(
      walletChoices(wallets.values()).map(({ value: id, label }) => [id, label]),
    );
    return [
      {
        id: "label",
        header: "Wallet",
        cell: ({ id, attributes }) => (
          <TextLink to="/wallets/$walletId" params={{ walletId: id }}>
            {names.get(id) ?? attributes.label}
          </TextLink>
        ),
        csv: ({ attributes }) => attributes.label,
        sort: "label",
      },
      {
        id: "type",
        header: "Type",
        cell: ({ attributes }) => walletTypeName(attributes.type),
        csv: ({ attributes }) => walletTypeName(attributes.type),
        sort: "type",
      },
      amountColumn("balance_confirmed", "Available", code),
      amountColumn("balance_pending", "Pending", code),
      { ...amountColumn("balance_unusable", "Too small to spend", code), isOptional: true },
      {
        id: "value",
        header: "Value",
        align: "end",
        cell: (row) => <FiatText value={value(row)} code={fiat.code} />,
      },
      { id: "currency", header: "Currency", isOptional: true, cell: code, csv: code },
      statusColumn("wallet"),
      { ...createdColumn, isOptional: true },
    ];
  }, [currencies, wallets, fiat.id, fiat.code, prices]);
}
