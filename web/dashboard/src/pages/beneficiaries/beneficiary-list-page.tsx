import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAddressBook, IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { listSource, type RowOf } from "../../api/list-source.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { EmptyList } from "../../components/empty-list.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { addressColumn, createdColumn } from "../../components/list-columns.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";
import { currencyFilter, onChainCurrencies } from "../currencies/currency-choices.ts";
import { Allowlist } from "./allowlist.tsx";
import { BeneficiaryDialog } from "./beneficiary-dialog.tsx";

const source = listSource("/beneficiary/");
type Row = RowOf<typeof source>;

/** The account's saved payout recipients. */
export function BeneficiaryListPage() {
  const navigate = useNavigate();
  const { mayCreate } = useRole();
  const [isAdding, adding] = useDisclosure(false);
  const create = mayCreate ? (
    <Button leftSection={<IconPlus size={16} />} onClick={adding.open}>
      {t("New beneficiary")}
    </Button>
  ) : null;
  return (
    <>
      <PageHeader
        title={t("Beneficiaries")}
        description={t("Saved payout recipients. Saving one does not approve payouts to it.")}
        actions={create}
      />
      <ResourceTable
        name="Beneficiaries"
        source={source}
        columns={useColumns()}
        filters={useFilters()}
        search={{ label: t("Search by name"), toFilter: (name) => ({ name }) }}
        onOpen={({ id }) =>
          void navigate({ to: "/beneficiaries/$beneficiaryId", params: { beneficiaryId: id } })
        }
        empty={
          <EmptyList icon={IconAddressBook} title={t("No beneficiaries yet")} action={create}>
            {t(
              "Save recipients that you pay regularly. Their address and details are filled in for you.",
            )}
          </EmptyList>
        }
      />
      <Allowlist />
      {isAdding ? (
        <BeneficiaryDialog
          onClose={adding.close}
          onDone={(id) =>
            void navigate({ to: "/beneficiaries/$beneficiaryId", params: { beneficiaryId: id } })
          }
        />
      ) : null}
    </>
  );
}

function useFilters(): readonly FilterField[] {
  const currencies = useCurrencies();
  return useMemo(
    () => [
      currencyFilter(onChainCurrencies(currencies)),
      { kind: "text", name: "address", label: t("Address") },
    ],
    [currencies],
  );
}

function useColumns(): readonly TableColumn<Row>[] {
  const currencies = useCurrencies();
  return useMemo<readonly TableColumn<Row>[]>(
    () => [
      {
        id: "name",
        header: "Name",
        cell: ({ id, attributes }) => (
          <TextLink to="/beneficiaries/$beneficiaryId" params={{ beneficiaryId: id }}>
            {attributes.name}
          </TextLink>
        ),
        csv: ({ attributes }) => attributes.name,
        sort: "name",
      },
      {
        id: "currency",
        header: "Currency",
        cell: ({ relationships }) => codeOf(currencies, relationships.currency.data.id),
        csv: ({ relationships }) => codeOf(currencies, relationships.currency.data.id) ?? "",
      },
      addressColumn,
      {
        id: "tag",
        header: "Tag",
        isOptional: true,
        cell: ({ attributes }) => attributes.tag ?? "–",
        csv: ({ attributes }) => attributes.tag ?? "",
      },
      {
        id: "travel_rule",
        header: "Recipient details",
        cell: ({ attributes }) =>
          attributes.has_travel_rule_info ? (
            <StatusBadge tone="good" label={t("On file")} />
          ) : (
            <StatusBadge tone="neutral" label={t("Missing")} />
          ),
      },
      {
        id: "may_be_paid",
        header: "Allowlist",
        isOptional: true,
        cell: ({ attributes }) =>
          attributes.may_be_paid ? t("Allowed") : t("Not on the allowlist"),
      },
      { ...createdColumn, header: "Added" },
    ],
    [currencies],
  );
}
