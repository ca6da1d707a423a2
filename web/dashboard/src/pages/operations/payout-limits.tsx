import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, useWallets } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";

const spans: Readonly<Record<string, string>> = {
  transaction: "One payout",
  hour: "In an hour",
  day: "In a day",
};

/** Above which amounts payouts wait for somebody's approval. */
export function PayoutLimits() {
  const currencies = useCurrencies();
  const wallets = useWallets();
  const { data } = useQuery({
    queryKey: ["payout-limits"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/payout-limit/", { signal })),
  });
  return (
    <Section title="Limits">
      <MiniTable
        name="Limits of payouts"
        rows={data}
        empty="No limit is set: a payout waits for approval only where its creator's role asks for it."
        columns={[
          {
            header: "Holds for",
            cell: ({ attributes, relationships: { wallet } }) => {
              if (wallet.data === null)
                return attributes.is_default ? "All accounts" : "Your account";
              return wallets.get(wallet.data.id)?.attributes.label ?? `Wallet ${wallet.data.id}`;
            },
          },
          { header: "Span", cell: ({ attributes }) => spans[attributes.span] ?? attributes.span },
          {
            header: "Approval above",
            align: "end",
            cell: ({ attributes, relationships }) => (
              <Amount
                value={attributes.amount}
                code={codeOf(currencies, relationships.currency.data.id)}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}
