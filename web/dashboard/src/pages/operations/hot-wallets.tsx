import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { rich } from "../../language/rich.tsx";
import { plural, t } from "../../language/t.ts";

const purposes: Readonly<Record<string, string>> = {
  hot: t("Hot account"),
  gas: t("Gas account"),
  coins: t("UTXOs"),
};

/** The hot wallets with their balances, queued payouts and ceilings. */
export function HotWallets() {
  const currencies = useCurrencies();
  const { data } = useQuery({
    queryKey: ["hot-wallets"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/hot-wallet/", { signal })),
    refetchInterval: 10_000,
  });
  const code = (id: string): string | null => codeOf(currencies, id);
  return (
    <Section title={t("Hot wallet balances")}>
      <MiniTable
        name="Hot wallet balances"
        rows={data}
        empty={t("No hot wallet has been registered yet. Start a worker.")}
        columns={[
          {
            header: "Wallet",
            cell: ({ attributes }) => (
              <div>
                <span className="one-line">
                  {purposes[attributes.purpose] ?? attributes.purpose}, {attributes.chain}
                </span>
                {attributes.coins === null ? null : (
                  <Text size="xs" c="dimmed">
                    {plural(attributes.coins, "{count} UTXO", "{count} UTXOs")}
                  </Text>
                )}
              </div>
            ),
          },
          {
            header: "Address",
            cell: ({ attributes }) => (
              <div>
                <CodeText value={attributes.address} label="address" isShort />
                {attributes.tag === null ? null : (
                  <Text size="xs">
                    {rich("Tag for your own funds: {tag}", {
                      tag: <CodeText value={attributes.tag} label="tag" />,
                    })}
                  </Text>
                )}
              </div>
            ),
          },
          {
            header: "Balance",
            align: "end",
            cell: ({ attributes, relationships }) => (
              <>
                <Amount value={attributes.amount} code={code(relationships.currency.data.id)} />
                {attributes.spendable_amount === attributes.amount ? null : (
                  <Text size="xs" c="dimmed">
                    {rich("{amount} spendable", {
                      amount: <Amount value={attributes.spendable_amount} />,
                    })}
                  </Text>
                )}
              </>
            ),
          },
          {
            header: "Queued payouts",
            align: "end",
            cell: ({ attributes, relationships }) => (
              <Amount
                value={attributes.awaited_amount}
                code={code(relationships.currency.data.id)}
              />
            ),
          },
          {
            header: "Unswept",
            align: "end",
            cell: ({ attributes }) => <Amount value={attributes.unswept_amount} />,
          },
          {
            header: "Ceiling",
            align: "end",
            cell: ({ attributes }) => <Ceiling {...attributes} />,
          },
          {
            header: "Status",
            cell: ({ attributes }) => (
              <StatusBadge
                {...(attributes.is_short === null
                  ? { tone: "neutral", label: t("Node unavailable") }
                  : attributes.is_short
                    ? { tone: "bad", label: t("Insufficient") }
                    : { tone: "good", label: t("Sufficient") })}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}

/** The ceiling, with a meter of how much of it is used. */
function Ceiling({
  amount,
  ceiling,
}: {
  readonly amount: string | null;
  readonly ceiling: string | null;
}) {
  if (ceiling === null) return <span>{t("None|ceiling")}</span>;
  return (
    <>
      <Amount value={ceiling} />
      {amount === null ? null : (
        <meter
          className="level"
          min={0}
          max={plotted(ceiling)}
          value={Math.min(plotted(amount), plotted(ceiling))}
          aria-label={t("{amount} of {ceiling}", { amount, ceiling })}
        />
      )}
    </>
  );
}

/** Rounding is harmless here because the number is only drawn. */
function plotted(text: string): number {
  return Number(text);
}
