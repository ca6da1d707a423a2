import { SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Deposit } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { defaultConfirmationsText } from "../../components/confirmation-progress.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { ObjectTimeline } from "../../components/object-timeline.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { PathLink } from "../../components/path-link.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { ObjectCallbacks } from "../callbacks/object-callbacks.tsx";
import { DepositActions } from "./deposit-actions.tsx";

import { DepositShare } from "./deposit-share.tsx";
import { DepositTransfers } from "./deposit-transfers.tsx";
import { UnresolvedNote } from "./unresolved-note.tsx";

const back = { to: "/deposits", label: "Deposits" };

/** One deposit: the requested and received amounts, transfers, activity and callbacks. */
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
            <StatusBadge kind="deposit" value={deposit.attributes.state} />
          </span>
        }
        actions={<DepositActions deposit={deposit} />}
      />
      <Stack>
        <UnresolvedNote deposit={deposit} />
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Payment deposit={deposit} />
          <Section title="Payment details">
            <DepositShare deposit={deposit} />
          </Section>
        </SimpleGrid>
        <DepositTransfers deposit={deposit} />
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Section title="Activity">
            <ObjectTimeline type="deposit" id={deposit.id} />
          </Section>
          <Stack>
            <Details deposit={deposit} />
            <ObjectCallbacks type="deposit" id={deposit.id} url={attributes.callback_url} />
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
            label: "Requested",
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
                  label: "Tolerance",
                  value: <Amount value={attributes.inaccuracy} code={target} />,
                },
              ]),
          { label: "Received", value: <Amount value={attributes.target_paid} code={target} /> },
          {
            label: "Pending",
            value: <Amount value={attributes.target_paid_pending} code={target} />,
          },
          { label: "Payment currency", value: source ?? "Payer chooses" },
          ...(attributes.source_amount_requested === null
            ? []
            : [
                {
                  label: `Requested (${source ?? ""})`,
                  value: <Amount value={attributes.source_amount_requested} code={source} />,
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
            label: `Received on-chain (${alpha})`,
            value: <Amount value={amount} code={alpha} />,
          })),
        ]}
      />
    </Section>
  );
}

function Details({ deposit }: { readonly deposit: Deposit }) {
  const { attributes, relationships } = deposit;
  const wallet = useWallets().get(relationships.wallet.data.id);
  const currency = useCurrencies().get(relationships.currency.data?.id ?? "");
  return (
    <Section title="Details">
      <DetailList
        details={[
          { label: "ID", value: deposit.id },
          {
            label: "Wallet",
            value: (
              <PathLink to={`/wallets/${relationships.wallet.data.id}`}>
                {wallet?.attributes.label ?? relationships.wallet.data.id}
              </PathLink>
            ),
          },
          { label: "Tracking ID", value: attributes.tracking_id },
          { label: "Description", value: attributes.description },
          timeLimit(attributes),
          {
            label: "Required confirmations",
            value:
              attributes.confirmations_needed ??
              defaultConfirmationsText(currency?.attributes.confirmation_blocks),
          },
          { label: "Callback URL", value: attributes.callback_url },
          {
            label: "Return URL",
            value:
              attributes.payment_page_redirect_url === null ? null : (
                <CodeText value={attributes.payment_page_redirect_url} label="URL" />
              ),
          },
          { label: "Created", value: <TimeText value={attributes.created_at} withSeconds /> },
        ]}
      />
    </Section>
  );
}

/** When an unpaid deposit expires; of any other deposit, the time that its payer had. */
function timeLimit({
  status,
  time_limit: seconds,
  invoice_updated_at: startedAt,
}: Deposit["attributes"]): { readonly label: string; readonly value: ReactNode } {
  if (status !== 2)
    return { label: "Time limit", value: seconds === null ? "None" : timeLimitText(seconds) };
  if (seconds === null || startedAt === null) return { label: "Expires", value: "Never" };
  const endsAt = new Date(Date.parse(startedAt) + seconds * 1_000).toISOString();
  return { label: "Expires", value: <TimeText value={endsAt} withSeconds /> };
}

/** A duration in words, such as "1 hour 30 minutes". */
function timeLimitText(seconds: number): string {
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
