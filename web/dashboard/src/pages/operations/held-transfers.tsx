import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { t } from "../../language/t.ts";
import { HeldTransfer } from "../transfers/held-transfer.tsx";

/** Transfers of all accounts held by screening, each to be released or refunded. */
export function HeldTransfers() {
  const currencies = useCurrencies();
  const { data } = useQuery({
    queryKey: ["held-transfer"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/held-transfer/", { signal })),
    refetchInterval: 15_000,
  });
  return (
    <Section title={t("Held transfers")}>
      <Stack>
        <MiniTable
          name="Held transfers"
          rows={data}
          empty={t("No transfers are held.")}
          columns={[
            { header: "Transfer", cell: ({ id }) => id },
            { header: "Account", cell: ({ attributes }) => attributes.account_name },
            {
              header: "Type",
              cell: ({ attributes }) => (attributes.op_type === 2 ? t("Payout") : t("Deposit")),
            },
            {
              header: "Amount",
              align: "end",
              cell: ({ attributes, relationships }) => (
                <Amount
                  value={attributes.amount}
                  code={codeOf(currencies, relationships.currency.data?.id)}
                />
              ),
            },
            {
              header: "From",
              cell: ({ attributes }) =>
                attributes.from_addresses.map((address) => (
                  <CodeText key={address} value={address} label="address" isShort />
                )),
            },
            {
              header: "To",
              cell: ({ attributes }) =>
                attributes.address === null ? (
                  "–"
                ) : (
                  <CodeText value={attributes.address} label="address" isShort />
                ),
            },
            { header: "Risk", align: "end", cell: ({ attributes }) => attributes.risk ?? "–" },
            {
              header: "Since",
              cell: ({ attributes }) => <TimeText value={attributes.created_at} />,
            },
          ]}
        />
        {data?.map((held) => (
          <HeldTransfer key={held.id} transfer={held} />
        ))}
      </Stack>
    </Section>
  );
}
