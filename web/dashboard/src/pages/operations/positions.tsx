import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { t } from "../../language/t.ts";

/** The operator's currency positions from conversions, and their limits. */
export function Positions() {
  const currencies = useCurrencies();
  const { data } = useQuery({
    queryKey: ["positions"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/position/", { signal })),
    refetchInterval: 10_000,
  });
  return (
    <Section title={t("Conversion positions")}>
      <MiniTable
        name="Conversion positions"
        rows={data}
        empty={t("No conversions yet.")}
        columns={[
          {
            header: "Currency",
            cell: ({ relationships }) => codeOf(currencies, relationships.currency.data.id),
          },
          {
            header: "Position",
            align: "end",
            cell: ({ attributes }) => <Amount value={attributes.amount} />,
          },
          {
            header: "Limit (long or short)",
            align: "end",
            cell: ({ attributes }) =>
              attributes.max === null ? (
                t("None|position limit")
              ) : (
                <Amount value={attributes.max} />
              ),
          },
          {
            header: "Status",
            cell: ({ attributes }) => (
              <StatusBadge
                {...(attributes.max === null
                  ? { tone: "neutral", label: t("No limit") }
                  : attributes.is_reached
                    ? { tone: "bad", label: t("At limit") }
                    : { tone: "good", label: t("Within limit") })}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}
