import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";

const purposes: Readonly<Record<string, string>> = {
  hot: "Hot account",
  gas: "Gas account",
  coins: "Coins",
};

/** What lies ready to pay from, against what waits to be paid and what may lie there at most. */
export function HotWallets() {
  const currencies = useCurrencies();
  const { data } = useQuery({
    queryKey: ["hot-wallets"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/hot-wallet/", { signal })),
    refetchInterval: 10_000,
  });
  const code = (id: string): string | null => codeOf(currencies, id);
  return (
    <Section title="Hot money">
      <MiniTable
        name="Hot money"
        rows={data}
        empty="No worker has entered an account of this deployment yet."
        columns={[
          {
            header: "Where",
            cell: ({ attributes }) => (
              <>
                {purposes[attributes.purpose] ?? attributes.purpose}, {attributes.chain}
                {attributes.coins === null ? null : (
                  <Text size="xs" c="dimmed">
                    {attributes.coins} coins
                  </Text>
                )}
              </>
            ),
          },
          {
            header: "Address",
            cell: ({ attributes }) => (
              <CodeText value={attributes.address} label="the address" isShort />
            ),
          },
          {
            header: "Holds",
            align: "end",
            cell: ({ attributes, relationships }) => (
              <Amount value={attributes.amount} code={code(relationships.currency.data.id)} />
            ),
          },
          {
            header: "Waits to be paid",
            align: "end",
            cell: ({ attributes, relationships }) => (
              <Amount
                value={attributes.awaited_amount}
                code={code(relationships.currency.data.id)}
              />
            ),
          },
          {
            header: "Not swept yet",
            align: "end",
            cell: ({ attributes }) => <Amount value={attributes.unswept_amount} />,
          },
          {
            header: "Ceiling",
            align: "end",
            cell: ({ attributes }) => <Ceiling {...attributes} />,
          },
          {
            header: "State",
            cell: ({ attributes }) => (
              <StatusBadge
                {...(attributes.is_short === null
                  ? { tone: "neutral", label: "Node silent" }
                  : attributes.is_short
                    ? { tone: "bad", label: "Too little" }
                    : { tone: "good", label: "Enough" })}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}

/** A meter beside the number; both amounts become numbers only to be drawn. */
function Ceiling({
  amount,
  ceiling,
}: {
  readonly amount: string | null;
  readonly ceiling: string | null;
}) {
  if (ceiling === null) return <span>none</span>;
  return (
    <>
      <Amount value={ceiling} />
      {amount === null ? null : (
        <meter
          className="level"
          min={0}
          max={drawn(ceiling)}
          value={Math.min(drawn(amount), drawn(ceiling))}
          aria-label={`Filled ${amount} of ${ceiling}`}
        />
      )}
    </>
  );
}

function drawn(text: string): number {
  return Number(text);
}
