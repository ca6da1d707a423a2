import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { t } from "../../language/t.ts";

/** The latest comparison of the ledger with the balances on the blockchains. */
export function Reconciliation() {
  const currencies = useCurrencies();
  const { data } = useQuery({
    queryKey: ["reconciliations"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/reconciliation/", { signal })),
    refetchInterval: 15_000,
  });
  return (
    <Section title={t("Reconciliation")}>
      <MiniTable
        name="Reconciliation"
        rows={data}
        empty={t("No reconciliation has run yet.")}
        columns={[
          {
            header: "Currency",
            cell: ({ relationships }) => (
              <span className="one-line">{codeOf(currencies, relationships.currency.data.id)}</span>
            ),
          },
          {
            header: "Result",
            cell: ({ attributes }) => (
              <StatusBadge
                {...(attributes.differs_since === null
                  ? { tone: "good", label: t("Match") }
                  : {
                      tone: "bad",
                      label: attributes.is_paused ? t("Payouts stopped") : t("Mismatch"),
                    })}
              />
            ),
          },
          {
            header: "Ledger",
            align: "end",
            cell: ({ attributes }) => <Amount value={attributes.ledger_amount} />,
          },
          {
            header: "Blockchain",
            align: "end",
            cell: ({ attributes }) => <Amount value={attributes.chain_amount} />,
          },
          {
            header: "Difference",
            align: "end",
            cell: ({ attributes }) => <Amount value={attributes.difference} />,
          },
          {
            header: "Mismatch since",
            cell: ({ attributes }) => <TimeText value={attributes.differs_since} />,
          },
          {
            header: "Checked",
            cell: ({ attributes }) => <TimeText value={attributes.checked_at} />,
          },
        ]}
      />
    </Section>
  );
}
