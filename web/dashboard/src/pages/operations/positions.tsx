import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";

/** What the operator holds or owes of each currency because wallets converted, against how far that may go. */
export function Positions() {
  const currencies = useCurrencies();
  const { data } = useQuery({
    queryKey: ["positions"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/position/", { signal })),
    refetchInterval: 10_000,
  });
  return (
    <Section title="Positions from conversions">
      <MiniTable
        name="Positions from conversions"
        rows={data}
        empty="Nothing was converted yet."
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
            header: "Limit, long or short",
            align: "end",
            cell: ({ attributes }) =>
              attributes.max === null ? "none" : <Amount value={attributes.max} />,
          },
          {
            header: "State",
            cell: ({ attributes }) => (
              <StatusBadge
                {...(attributes.max === null
                  ? { tone: "neutral", label: "Not bounded" }
                  : attributes.is_reached
                    ? { tone: "bad", label: "At its limit" }
                    : { tone: "good", label: "Within its limit" })}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}
