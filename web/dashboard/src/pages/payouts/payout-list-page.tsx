import { Button, Group } from "@mantine/core";
import { IconArrowUpRight, IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { listSource, type RowOf } from "../../api/list-source.ts";
import { codeOf, rowCode, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { useMe } from "../../api/me.ts";
import { Amount } from "../../components/amount.tsx";
import { ButtonLink } from "../../components/button-link.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { multiplyDecimals } from "../../components/decimals.ts";
import { EmptyList } from "../../components/empty-list.tsx";
import { feeFiatColumn, fiatColumn, withFiatValues } from "../../components/fiat-values.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import {
  amountColumn,
  createdColumn,
  idColumn,
  labelColumn,
  stateColumn,
  trackingIdColumn,
} from "../../components/list-columns.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { statusChoices } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";
import { currencyFilter, onChainCurrencies } from "../currencies/currency-choices.ts";
import { searchFilter } from "../deposits/search-filter.ts";
import { StopUnlessStopped } from "../operations/stop-payouts-button.tsx";
import { StoppedPayouts } from "../operations/stopped-payouts.tsx";
import { useKillSwitches } from "../operations/use-kill-switches.ts";
import { walletFilter } from "../wallets/wallet-choices.ts";

const source = withFiatValues(listSource("/payout/"), "payout");
type Row = RowOf<typeof source>;

/** The account's payouts. */
export function PayoutListPage() {
  const navigate = useNavigate();
  const me = useMe();
  const { mayPay, mayAdminister } = useRole();
  const isStopped =
    useKillSwitches()?.some(({ attributes }) => attributes.scope === "all") === true;
  const create = !mayPay ? null : isStopped ? (
    <Button disabled leftSection={<IconPlus size={16} />}>
      {t("New payout (payouts are stopped)")}
    </Button>
  ) : (
    <ButtonLink to="/payouts/new" leftSection={<IconPlus size={16} />}>
      {t("New payout")}
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title={t("Payouts")}
        description={t("Outgoing payments and their status.")}
        actions={
          <Group gap="sm">
            {mayAdminister ? (
              <StopUnlessStopped isOperator={me?.operates_deployment === true} />
            ) : null}
            <ButtonLink to="/payouts/approvals" variant="default">
              {t("Awaiting approval")}
            </ButtonLink>
            {create}
          </Group>
        }
      />
      <StoppedPayouts />
      <ResourceTable
        name="Payouts"
        source={source}
        columns={useColumns()}
        filters={useFilters()}
        search={{ label: t("Label, tracking ID, address or ID"), toFilter: searchFilter }}
        onOpen={({ id }) => void navigate({ to: "/payouts/$payoutId", params: { payoutId: id } })}
        empty={
          <EmptyList icon={IconArrowUpRight} title={t("No payouts yet")} action={create}>
            {t(
              "Send funds from a wallet to an address, another wallet or a deposit. You see the network fee before anything is sent.",
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
      { kind: "choice", name: "state", label: t("Status"), choices: statusChoices("payout") },
      walletFilter(wallets, t("From wallet")),
      walletFilter(wallets, t("To wallet"), "wallet_to"),
      currencyFilter(onChainCurrencies(currencies)),
      { kind: "text", name: "tracking_id", label: t("Tracking ID") },
      { kind: "text", name: "address", label: t("Address") },
      { kind: "amount", name: "amount", label: t("Amount") },
      {
        kind: "choice",
        name: "is_fee_included",
        label: t("Fee"),
        choices: [
          { value: "true", label: t("Deducted from the amount") },
          { value: "false", label: t("Charged on top") },
        ],
      },
      { kind: "amount", name: "charged", label: t("Amount charged") },
      { kind: "days", name: "created_at", label: t("Created") },
      { kind: "days", name: "updated_at", label: t("Last updated") },
    ],
    [currencies, wallets],
  );
}

function useColumns(): readonly TableColumn<Row>[] {
  const currencies = useCurrencies();
  const wallets = useWallets();
  return useMemo((): readonly TableColumn<Row>[] => {
    const code = rowCode(currencies);
    const feeCode = ({ relationships }: Row) => {
      const currency = currencies.get(relationships.currency.data.id);
      return codeOf(currencies, currency?.relationships.parent.data?.id ?? currency?.id);
    };
    const walletCode = ({ relationships }: Row) =>
      codeOf(currencies, walletCurrency(wallets.get(relationships.wallet.data.id)));
    const valueOf = ({ attributes: { amount, rate_requested: rate }, relationships }: Row) => {
      const currency = walletCurrency(wallets.get(relationships.wallet.data.id));
      const digits = currencies.get(currency ?? "")?.attributes.exp;
      return rate === null || digits === undefined ? null : multiplyDecimals(amount, rate, digits);
    };
    return [
      idColumn("Payout", (id) => (
        <TextLink to="/payouts/$payoutId" params={{ payoutId: id }}>
          {id}
        </TextLink>
      )),
      stateColumn("payout"),
      labelColumn,
      trackingIdColumn,
      {
        id: "wallet",
        header: "From",
        cell: ({ relationships }) =>
          wallets.get(relationships.wallet.data.id)?.attributes.label ??
          relationships.wallet.data.id,
        csv: ({ relationships }) =>
          wallets.get(relationships.wallet.data.id)?.attributes.label ??
          relationships.wallet.data.id,
      },
      {
        id: "to",
        header: "To",
        cell: (row) => <PayoutTarget row={row} />,
        csv: ({ attributes: { address, target_wallet: to, target_deposit: deposit } }) =>
          address ??
          (to === null ? null : (wallets.get(to)?.attributes.label ?? to)) ??
          deposit ??
          "",
      },
      amountColumn("amount", "Amount", code),
      {
        // What it was worth when it was created, at the rate that its wallet was charged.
        id: "value",
        header: "Value when created",
        align: "end",
        isOptional: true,
        cell: (row: Row) => <Amount value={valueOf(row)} code={walletCode(row)} />,
        csv: (row: Row) => valueOf(row) ?? "",
        csvCode: (row: Row) => (valueOf(row) === null ? null : walletCode(row)),
      },
      fiatColumn<Row>(currencies, ({ fiat }) => fiat),
      { ...amountColumn("fee_amount", "Fee", feeCode), isOptional: true },
      feeFiatColumn<Row>(currencies, ({ feeFiat }) => feeFiat),
      createdColumn,
    ];
  }, [currencies, wallets]);
}

/** A payout's recipient in a table cell. */
export function PayoutTarget({ row: { attributes } }: { readonly row: Pick<Row, "attributes"> }) {
  const wallets = useWallets();
  if (attributes.target_wallet !== null) {
    const label = wallets.get(attributes.target_wallet)?.attributes.label;
    return t("Wallet {name}", { name: label ?? attributes.target_wallet });
  }
  if (attributes.address === null) return t("Internal deposit");
  return <CodeText value={attributes.address} label="address" isShort />;
}
