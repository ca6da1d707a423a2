import { useQuery } from "@tanstack/react-query";
import type { ListSource } from "../../api/list-source.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { refreshEvery } from "../../api/refresh-every.ts";
import { Amount } from "../../components/amount.tsx";
import { truncateDecimal } from "../../components/decimals.ts";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { listQuery, useListSearch } from "../../components/use-list-search.ts";
import type { PlainText } from "../../language/catalogs.ts";
import { t } from "../../language/t.ts";
import { type StatementTotal, statementTotals } from "./statement-totals.ts";

type Source = ListSource<Parameters<typeof statementTotals>[0][number]>;

const columns = [
  ["opening", "Opening balance"],
  ["payments", "Payments"],
  ["transfers_in", "Transfers in"],
  ["refunds", "Refunds"],
  ["payouts", "Payouts"],
  ["fees", "Fees"],
  ["adjustments", "Adjustments"],
  ["closing", "Closing balance"],
] as const satisfies readonly (readonly [keyof StatementTotal, PlainText])[];

/** Totals of all statements that the filters select, by currency and in fiat. */
export function StatementTotalsSection({ source }: { readonly source: Source }) {
  const currencies = useCurrencies();
  const query = listQuery(useListSearch(), null);
  const { data } = useQuery({
    queryKey: ["statement-totals", query.filter],
    queryFn: async ({ signal }) =>
      statementTotals(await Array.fromAsync(source.all({ ...query, sort: null }, signal))),
    refetchInterval: refreshEvery(60_000),
  });
  if (data === undefined || data.byCurrency.size === 0) return null;
  const own = [...data.byCurrency].map(([id, total]) => ({
    id,
    label: t("In {code}", { code: codeOf(currencies, id) ?? id }),
    code: codeOf(currencies, id),
    total,
  }));
  const inFiat = [...data.inFiat].map(([code, total]) => ({
    id: `fiat:${code}`,
    label: t("Fiat value in {code}", { code }),
    code,
    total: { ...total, fees: total.fees === null ? null : truncateDecimal(total.fees, 2) },
  }));
  return (
    <Section title={t("Totals")}>
      <MiniTable
        name="Totals"
        rows={[...own, ...inFiat]}
        empty=""
        columns={[
          { header: "Currency", cell: ({ label }) => <span className="one-line">{label}</span> },
          ...columns.map(([name, header]) => ({
            header,
            align: "end" as const,
            cell: ({ total, code }: (typeof own)[number]) => (
              <Amount value={total[name]} code={code} />
            ),
          })),
        ]}
      />
    </Section>
  );
}
