import { Alert, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { t } from "../../language/t.ts";

/** Outgoing transactions that the database does not know, found after a restore. */
export function UnexplainedSpends() {
  const { data } = useQuery({
    queryKey: ["unexplained-spends"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/unexplained-spend/", { signal })),
    refetchInterval: 15_000,
  });
  if (data === undefined || data.length === 0) return null;
  const isOpen = data.some(({ attributes }) => attributes.decided_at === null);
  return (
    <Section title={t("Unrecorded transactions")}>
      <Stack gap="sm">
        {isOpen ? (
          <Alert color="red" title={t("Payouts on these blockchains are paused")}>
            {t(
              "These transactions may have paid payouts that are still pending in this database. Resolve each one with `sluice unexplained settle` or `release`, then run `sluice resume`.",
            )}
          </Alert>
        ) : null}
        <MiniTable
          name="Unrecorded transactions"
          rows={data}
          empty=""
          columns={[
            { header: "Blockchain", cell: ({ attributes }) => attributes.chain },
            {
              header: "Transaction",
              cell: ({ attributes }) => (
                <Text size="sm" ff="monospace" style={{ wordBreak: "break-all" }}>
                  {attributes.txid}
                </Text>
              ),
            },
            {
              header: "Block",
              align: "end",
              cell: ({ attributes }) => attributes.block_height?.toString() ?? t("Unconfirmed"),
            },
            {
              header: "Paid",
              cell: ({ attributes }) =>
                attributes.payments.map(({ address, tag, currency, amount }) => (
                  <Text key={`${address} ${tag ?? ""} ${amount}`} size="sm">
                    {t("{amount} {currency} to {address}", {
                      amount,
                      currency: currency ?? t("units of an unlisted token"),
                      address,
                    })}
                    {tag == null ? "" : ` · ${t("Tag {tag}", { tag })}`}
                  </Text>
                )),
            },
            {
              header: "Payouts",
              cell: ({ attributes: { payouts } }) =>
                payouts.length === 0 ? t("None|payouts") : payouts.join(", "),
            },
            {
              header: "Resolved",
              cell: ({ attributes }) => <TimeText value={attributes.decided_at} />,
            },
          ]}
        />
      </Stack>
    </Section>
  );
}
