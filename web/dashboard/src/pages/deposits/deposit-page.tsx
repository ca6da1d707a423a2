import { SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { Deposit } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { ObjectTimeline } from "../../components/object-timeline.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { PathLink } from "../../components/path-link.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { DepositActions } from "./deposit-actions.tsx";
import { DepositCallbacks } from "./deposit-callbacks.tsx";
import { DepositShare } from "./deposit-share.tsx";
import { DepositTransfers } from "./deposit-transfers.tsx";
import { UnresolvedNote } from "./unresolved-note.tsx";

const back = { to: "/deposits", label: "Deposits" };

/** One deposit: what was asked for, what came, and everything that happened to it. */
export function DepositPage() {
  const { depositId = "" } = useParams({ strict: false });
  const deposit = useQuery({
    queryKey: ["deposit", depositId],
    queryFn: async ({ signal }) =>
      (await api.get("/deposit/{id}/", { id: depositId, signal })).data,
    refetchInterval: 3_000,
  });
  return (
    <QueryView query={deposit} back={back}>
      {(data) => <DepositView key={data.id} deposit={data} />}
    </QueryView>
  );
}

function DepositView({ deposit }: { readonly deposit: Deposit }) {
  const { attributes } = deposit;
  return (
    <>
      <PageHeader
        title={attributes.label ?? `Deposit ${deposit.id}`}
        back={back}
        badge={
          <span role="status">
            <StatusBadge kind="deposit" value={attributes.status} />
          </span>
        }
        actions={<DepositActions deposit={deposit} />}
      />
      <Stack>
        <UnresolvedNote deposit={deposit} />
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Payment deposit={deposit} />
          <Section title="To be paid at">
            <DepositShare deposit={deposit} />
          </Section>
        </SimpleGrid>
        <DepositTransfers deposit={deposit} />
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Section title="What happened">
            <ObjectTimeline type="deposit" id={deposit.id} />
          </Section>
          <Stack>
            <About deposit={deposit} />
            <DepositCallbacks depositId={deposit.id} />
          </Stack>
        </SimpleGrid>
      </Stack>
    </>
  );
}

function Payment({ deposit }: { readonly deposit: Deposit }) {
  const { attributes, relationships } = deposit;
  const currencies = useCurrencies();
  const wallet = useWallets().get(relationships.wallet.data.id);
  const target = codeOf(currencies, walletCurrency(wallet));
  const source = codeOf(currencies, relationships.currency.data?.id);
  return (
    <Section title="Payment">
      <DetailList
        details={[
          {
            label: "Asked for",
            value:
              attributes.target_amount_requested === null ? (
                "Any amount"
              ) : (
                <Amount value={attributes.target_amount_requested} code={target} />
              ),
          },
          ...(attributes.inaccuracy === null
            ? []
            : [
                {
                  label: "Give or take",
                  value: <Amount value={attributes.inaccuracy} code={target} />,
                },
              ]),
          { label: "Paid", value: <Amount value={attributes.target_paid} code={target} /> },
          {
            label: "Under way",
            value: <Amount value={attributes.target_paid_pending} code={target} />,
          },
          { label: "Paid in", value: source ?? "The payer chooses" },
          ...(attributes.source_amount_requested === null
            ? []
            : [
                {
                  label: `In ${source ?? ""}`,
                  value: <Amount value={attributes.source_amount_requested} code={source} isFull />,
                },
              ]),
          ...(attributes.rate_requested === null || source === target
            ? []
            : [
                {
                  label: "Rate",
                  value: (
                    <>
                      1 {source} = <Amount value={attributes.rate_requested} code={target} />
                    </>
                  ),
                },
              ]),
          ...Object.entries(attributes.assets).map(([alpha, amount]) => ({
            label: `Came in ${alpha}`,
            value: <Amount value={amount} code={alpha} />,
          })),
        ]}
      />
    </Section>
  );
}

function About({ deposit }: { readonly deposit: Deposit }) {
  const { attributes, relationships } = deposit;
  const wallet = useWallets().get(relationships.wallet.data.id);
  return (
    <Section title="About">
      <DetailList
        details={[
          { label: "Number", value: deposit.id },
          {
            label: "Wallet",
            value: (
              <PathLink to={`/wallets/${relationships.wallet.data.id}`}>
                {wallet?.attributes.label ?? relationships.wallet.data.id}
              </PathLink>
            ),
          },
          { label: "Tracking id", value: attributes.tracking_id },
          { label: "Time limit", value: timeLimitText(attributes.time_limit) },
          {
            label: "Confirmations asked for",
            value: attributes.confirmations_needed ?? "The currency's own count",
          },
          { label: "Callbacks to", value: attributes.callback_url },
          {
            label: "Leads the payer back to",
            value:
              attributes.payment_page_redirect_url === null ? null : (
                <CodeText value={attributes.payment_page_redirect_url} label="the address" />
              ),
          },
          { label: "Created", value: <TimeText value={attributes.created_at} withSeconds /> },
        ]}
      />
    </Section>
  );
}

/** Seconds as people say them; null: none. */
export function timeLimitText(seconds: number | null): string {
  if (seconds === null) return "None";
  const units = [
    [86_400, "day"],
    [3_600, "hour"],
    [60, "minute"],
    [1, "second"],
  ] as const;
  const parts: string[] = [];
  let left = seconds;
  for (const [size, name] of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? "" : "s"}`);
  }
  return parts.join(" ");
}
