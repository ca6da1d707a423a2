import { SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";
import type { Deposit } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { defaultConfirmationsText } from "../../components/confirmation-progress.tsx";
import { isPositive } from "../../components/decimals.ts";
import { DetailList } from "../../components/detail-list.tsx";
import { ObjectTimeline } from "../../components/object-timeline.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { PathLink } from "../../components/path-link.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { rich } from "../../language/rich.tsx";
import { plural, t } from "../../language/t.ts";
import { ObjectCallbacks } from "../callbacks/object-callbacks.tsx";
import { DepositActions } from "./deposit-actions.tsx";
import { DepositShare } from "./deposit-share.tsx";
import { DepositTransfers } from "./deposit-transfers.tsx";
import { UnresolvedNote } from "./unresolved-note.tsx";
import { useResolution } from "./use-resolution.ts";

const back = { to: "/deposits", label: t("Deposits") };

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
        title={attributes.label ?? t("Deposit {id}", { id: deposit.id })}
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
          <Section title={t("Payment details")}>
            <DepositShare deposit={deposit} />
          </Section>
        </SimpleGrid>
        <DepositTransfers deposit={deposit} />
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Section title={t("Activity")}>
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
  const resolution = useResolution(deposit.id).data;
  const source = codeOf(currencies, relationships.currency.data?.id);
  return (
    <Section title={t("Payment")}>
      <DetailList
        details={[
          {
            label: t("Requested"),
            value:
              attributes.target_amount_requested === null ? (
                t("Any amount")
              ) : (
                <Amount value={attributes.target_amount_requested} code={target} />
              ),
          },
          ...(attributes.inaccuracy === null
            ? []
            : [
                {
                  label: t("Tolerance"),
                  value: <Amount value={attributes.inaccuracy} code={target} />,
                },
              ]),
          { label: t("Received"), value: <Amount value={attributes.target_paid} code={target} /> },
          ...refundedDetail(resolution, target),
          {
            label: t("Pending"),
            value: <Amount value={attributes.target_paid_pending} code={target} />,
          },
          { label: t("Payment currency"), value: source ?? t("Payer chooses") },
          ...(attributes.source_amount_requested === null
            ? []
            : [
                {
                  label: t("Requested ({source})", { source: source ?? "" }),
                  value: <Amount value={attributes.source_amount_requested} code={source} />,
                },
              ]),
          ...(attributes.rate_requested === null || source === target
            ? []
            : [
                {
                  label: t("Rate"),
                  value: (
                    <>
                      1 {source} = <Amount value={attributes.rate_requested} code={target} />
                    </>
                  ),
                },
              ]),
          ...Object.entries(attributes.assets).map(([alpha, amount]) => ({
            label: t("Received on-chain ({code})", { code: alpha }),
            value: <Amount value={amount} code={alpha} />,
          })),
        ]}
      />
    </Section>
  );
}

function refundedDetail(
  resolution: ReturnType<typeof useResolution>["data"],
  code: string | null,
): ComponentProps<typeof DetailList>["details"] {
  if (resolution === undefined) return [];
  const { refunded_amount: refunded, kept_amount: kept } = resolution.attributes;
  if (!isPositive(refunded)) return [];
  const amount = <Amount value={refunded} code={code} />;
  const value = isPositive(kept)
    ? rich("{refunded}, kept {kept}", {
        refunded: amount,
        kept: <Amount value={kept} code={code} />,
      })
    : amount;
  return [{ label: t("Refunded"), value }];
}

function Details({ deposit }: { readonly deposit: Deposit }) {
  const { attributes, relationships } = deposit;
  const wallet = useWallets().get(relationships.wallet.data.id);
  const currency = useCurrencies().get(relationships.currency.data?.id ?? "");
  return (
    <Section title={t("Details")}>
      <DetailList
        details={[
          { label: "ID", value: deposit.id },
          {
            label: t("Wallet"),
            value: (
              <PathLink to={`/wallets/${relationships.wallet.data.id}`}>
                {wallet?.attributes.label ?? relationships.wallet.data.id}
              </PathLink>
            ),
          },
          { label: t("Tracking ID"), value: attributes.tracking_id },
          { label: t("Description"), value: attributes.description },
          timeLimit(attributes),
          {
            label: t("Required confirmations"),
            value:
              attributes.confirmations_needed ??
              defaultConfirmationsText(currency?.attributes.confirmation_blocks),
          },
          { label: t("Callback URL"), value: attributes.callback_url },
          {
            label: t("Return URL"),
            value:
              attributes.payment_page_redirect_url === null ? null : (
                <CodeText value={attributes.payment_page_redirect_url} label="URL" />
              ),
          },
          { label: t("Created"), value: <TimeText value={attributes.created_at} withSeconds /> },
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
    return {
      label: t("Time limit"),
      value: seconds === null ? t("None|time limit") : timeLimitText(seconds),
    };
  if (seconds === null || startedAt === null) return { label: t("Expires"), value: t("Never") };
  const endsAt = new Date(Date.parse(startedAt) + seconds * 1_000).toISOString();
  return { label: t("Expires"), value: <TimeText value={endsAt} withSeconds /> };
}

/** A duration in words, such as "1 hour 30 minutes". */
function timeLimitText(seconds: number): string {
  const units = [
    [86_400, "{count} day", "{count} days"],
    [3_600, "{count} hour", "{count} hours"],
    [60, "{count} minute", "{count} minutes"],
    [1, "{count} second", "{count} seconds"],
  ] as const;
  const parts: string[] = [];
  let left = seconds;
  for (const [size, one, other] of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(plural(count, one, other));
  }
  return parts.join(" ");
}
