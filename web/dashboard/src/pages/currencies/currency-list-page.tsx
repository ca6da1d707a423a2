import { Badge, Group, SegmentedControl } from "@mantine/core";
import { IconCoins } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import type { ListQuery } from "../../api/list-query.ts";
import { type ListSource, listSource, type RowOf } from "../../api/list-source.ts";
import { type ById, codeOf, type KnownCurrency, useCurrencies } from "../../api/lookups.ts";
import { useMe } from "../../api/me.ts";
import { Amount } from "../../components/amount.tsx";
import { EmptyList } from "../../components/empty-list.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { t } from "../../language/t.ts";
import { currencyName } from "./currency-name.ts";

const allCurrencies = listSource("/currency/");
type Row = RowOf<typeof allCurrencies>;

/** Sorts by descending ID by default: fiat currencies have the lowest IDs and belong at the end. */
function cryptoFirst(source: ListSource<Row>): ListSource<Row> {
  const ordered = (query: ListQuery): ListQuery => ({ ...query, sort: query.sort ?? "-id" });
  return {
    path: source.path,
    page: (query, after, signal) => source.page(ordered(query), after, signal),
    all: (query, signal) => source.all(ordered(query), signal),
  };
}

const sources = {
  usable: cryptoFirst(listSource("/currency/", { filter: { is_available: "true" } })),
  all: cryptoFirst(allCurrencies),
};
type Choice = keyof typeof sources;

const choices: { readonly value: Choice; readonly label: string }[] = [
  { value: "usable", label: t("Available") },
  { value: "all", label: t("All") },
];

const filters: readonly FilterField[] = [
  { kind: "text", name: "blockchain_name", label: t("Network") },
  { kind: "text", name: "alpha", label: t("Code") },
];

/** The choice is part of the URL because a page cursor belongs to one of the two lists. */
function useChoice(): readonly [Choice, (choice: Choice) => void] {
  const before: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const choose = (choice: Choice): void => {
    const show = choice === "all" ? "all" : "";
    const search = (now: Readonly<Record<string, string | undefined>>) => ({
      ...now,
      "page[after]": "",
      show,
    });
    void navigate({ to: "/currencies", search, replace: true });
  };
  return [before["show"] === "all" ? "all" : "usable", choose];
}

/** The currencies with their networks, confirmations and minimum payments. */
export function CurrencyListPage() {
  const currencies = useCurrencies();
  const isSimulated = useMe()?.is_sandbox === true;
  const columns = useMemo(() => columnsOf(currencies, isSimulated), [currencies, isSimulated]);
  const [choice, setChoice] = useChoice();
  return (
    <>
      <PageHeader
        title={t("Currencies")}
        description={t(
          "Coins and tokens by network. A payment is final after the number of confirmations shown here.",
        )}
      />
      <ResourceTable
        name="Currencies"
        source={sources[choice]}
        actions={
          <SegmentedControl
            aria-label={t("Shown currencies")}
            data={choices}
            value={choice}
            onChange={setChoice}
          />
        }
        columns={columns}
        filters={filters}
        search={{ label: t("Search by name"), toFilter: (name) => ({ name }) }}
        refreshSeconds={60}
        empty={
          <EmptyList icon={IconCoins} title={t("No currencies available")}>
            {t("No blockchain is connected, or all currencies are disabled. Ask your operator.")}
          </EmptyList>
        }
      />
    </>
  );
}

/** Marks currencies as simulated in a sandbox, which runs private chains. */
function columnsOf(
  currencies: ById<KnownCurrency>,
  isSimulated: boolean,
): readonly TableColumn<Row>[] {
  const isUsable = ({ id }: Row): boolean => currencies.get(id)?.isUsable === true;
  return [
    {
      id: "alpha",
      header: "Currency",
      cell: ({ attributes }) => (
        <Group gap="xs" component="span">
          <strong>{attributes.alpha}</strong>
          {currencyName(attributes)}
        </Group>
      ),
      csv: ({ attributes }) => attributes.alpha,
      sort: "alpha",
    },
    {
      id: "network",
      header: "Network",
      cell: (currency) =>
        currency.attributes.blockchain_name === null ? (
          "–"
        ) : (
          <Group gap="xs" component="span">
            {currency.attributes.blockchain_name}
            {isSimulated && isUsable(currency) ? (
              <StatusBadge tone="attention" label={t("Simulated")} />
            ) : null}
          </Group>
        ),
      csv: ({ attributes }) => attributes.blockchain_name ?? "",
    },
    {
      id: "status",
      header: "Available",
      cell: (currency) =>
        isUsable(currency) ? (
          <StatusBadge tone="good" label={t("Yes")} />
        ) : (
          <StatusBadge tone="neutral" label={t("No")} />
        ),
      csv: (currency) => String(isUsable(currency)),
    },
    {
      id: "confirmations",
      header: "Confirmations",
      align: "end",
      cell: ({ attributes }) =>
        attributes.blockchain_name === null ? "–" : attributes.confirmation_blocks,
      csv: ({ attributes }) => String(attributes.confirmation_blocks),
    },
    {
      id: "minimum",
      header: "Minimum payment",
      align: "end",
      cell: ({ attributes }) =>
        attributes.blockchain_name === null ? (
          "–"
        ) : (
          <Amount value={attributes.minimal_transfer_amount} code={attributes.alpha} />
        ),
      csv: ({ attributes }) => attributes.minimal_transfer_amount,
    },
    {
      id: "parent",
      header: "Fee currency",
      isOptional: true,
      cell: ({ attributes, relationships }) =>
        codeOf(currencies, relationships.parent.data?.id) ?? attributes.alpha,
      csv: ({ relationships }) => codeOf(currencies, relationships.parent.data?.id) ?? "",
    },
    {
      id: "tags",
      header: "Tags",
      cell: ({ attributes }) => (
        <Group gap={4} component="span" justify="flex-start">
          {attributes.tags.map((tag) => (
            <Badge key={tag} variant="default">
              {tag}
            </Badge>
          ))}
        </Group>
      ),
      csv: ({ attributes }) => attributes.tags.join(" "),
    },
    { id: "id", header: "ID", isOptional: true, cell: ({ id }) => id, csv: ({ id }) => id },
  ];
}
