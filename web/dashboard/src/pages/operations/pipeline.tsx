import { Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { plural, t } from "../../language/t.ts";
import { durationText } from "../overview/buckets.ts";
import { attemptState, spendKind, waitText } from "./spend-words.ts";

const refreshMs = 5_000;

const stages: Readonly<Record<string, string>> = {
  waiting: t("Awaiting approval"),
  held: t("Queued"),
  blocked: t("Held by screening"),
  sending: t("Sending"),
  included: t("Confirming"),
};

/** Payouts and transactions in progress, and what they wait for. */
export function Pipeline() {
  const currencies = useCurrencies();
  const queues = useQuery({
    queryKey: ["payout-queues"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/payout-queue/", { signal })),
    refetchInterval: refreshMs,
  });
  const spends = useQuery({
    queryKey: ["spends"],
    queryFn: async ({ signal }) =>
      (await api.list("/spend/", { page: { after: "", size: 100 }, signal })).data,
    refetchInterval: refreshMs,
  });
  return (
    <Section title={t("Payouts in progress")}>
      <MiniTable
        name="Payouts by stage"
        rows={queues.data}
        empty={t("No payouts in progress.")}
        columns={[
          { header: "Blockchain", cell: ({ attributes }) => attributes.chain },
          {
            header: "Stage",
            cell: ({ attributes }) => stages[attributes.stage] ?? attributes.stage,
          },
          { header: "Payouts", align: "end", cell: ({ attributes }) => attributes.count },
          {
            header: "Oldest",
            align: "end",
            cell: ({ attributes }) => durationText(attributes.oldest_seconds),
          },
        ]}
      />
      <Title order={3} mt="lg" mb="xs">
        {t("Outgoing transactions")}
      </Title>
      <MiniTable
        name="Outgoing transactions"
        rows={spends.data}
        empty={t("No transactions in progress.")}
        columns={[
          {
            header: "Type",
            cell: ({ id, attributes }) => (
              <>
                {t("{kind} on {chain}", {
                  kind: spendKind(attributes.kind),
                  chain: attributes.chain,
                })}
                <Text size="xs" c="dimmed">
                  {attributes.payouts === 0
                    ? t("ID {id}", { id })
                    : t("ID {id}, {payouts}", {
                        id,
                        payouts: plural(attributes.payouts, "{count} payout", "{count} payouts"),
                      })}
                </Text>
              </>
            ),
          },
          {
            header: "Status",
            cell: ({ attributes }) => (
              <StatusBadge
                {...(attributes.is_stuck
                  ? { tone: "bad", label: t("Stuck") }
                  : { tone: "waiting", label: attemptState(attributes.attempt_state) })}
              />
            ),
          },
          { header: "Waiting for", cell: ({ attributes }) => waitText(attributes.waits_for) },
          {
            header: "Age",
            align: "end",
            cell: ({ attributes }) => durationText(attributes.age_seconds),
          },
          { header: "Attempts", align: "end", cell: ({ attributes }) => attributes.attempts },
          {
            header: "Max. fee",
            align: "end",
            cell: ({ attributes, relationships }) => (
              <Amount
                value={attributes.fee}
                code={codeOf(currencies, relationships.fee_currency.data.id)}
              />
            ),
          },
          {
            header: "Transaction",
            cell: ({ attributes }) => (
              <CodeText value={attributes.txid} label="transaction ID" isShort />
            ),
          },
        ]}
      />
    </Section>
  );
}
