import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, useWallets } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { t } from "../../language/t.ts";

const spans: Readonly<Record<string, string>> = {
  transaction: t("Per payout"),
  hour: t("Per hour"),
  day: t("Per day"),
};

/** The amounts above which payouts require approval. */
export function PayoutLimits() {
  const currencies = useCurrencies();
  const wallets = useWallets();
  const { data } = useQuery({
    queryKey: ["payout-limits"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/payout-limit/", { signal })),
  });
  return (
    <Section title={t("Payout limits")}>
      <MiniTable
        name="Payout limits"
        rows={data}
        empty={t(
          "No limits are set. Payouts require approval only if the creator's role requires it.",
        )}
        columns={[
          {
            header: "Applies to",
            cell: ({ attributes, relationships: { wallet } }) => {
              if (wallet.data === null)
                return attributes.is_default ? t("All accounts") : t("Your account");
              return (
                wallets.get(wallet.data.id)?.attributes.label ??
                t("Wallet {name}", { name: wallet.data.id })
              );
            },
          },
          { header: "Period", cell: ({ attributes }) => spans[attributes.span] ?? attributes.span },
          {
            header: "Approval required above",
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
