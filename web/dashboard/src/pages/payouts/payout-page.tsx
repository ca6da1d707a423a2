import { Alert, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { Payout, PayoutApproval, Transfer } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { defaultConfirmationsText } from "../../components/confirmation-progress.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { ObjectTimeline } from "../../components/object-timeline.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { errorText } from "../../language/error-text.ts";
import { t } from "../../language/t.ts";
import { ObjectCallbacks } from "../callbacks/object-callbacks.tsx";
import { ApproverNote } from "./approver-note.tsx";
import { DecisionPrice } from "./decision-price.tsx";
import { feeLabel } from "./fee-label.ts";
import { PayoutActions } from "./payout-actions.tsx";

import { PayoutTarget } from "./payout-list-page.tsx";
import { PayoutProgress } from "./payout-progress.tsx";
import { RecipientText } from "./recipient-text.tsx";

const back = { to: "/payouts", label: t("Payouts") };

type PayoutView = {
  readonly payout: Payout;
  readonly approval: PayoutApproval;
  /** The transfer that carries out the payout; null before it exists. */
  readonly transfer: Transfer | null;
};

/** One payout: its payment details, progress, activity and callbacks. */
export function PayoutPage() {
  const { payoutId = "" } = useParams({ strict: false });
  const view = useQuery({
    queryKey: ["payout", payoutId],
    queryFn: async ({ signal }): Promise<PayoutView> => {
      const [payout, approval, transfers] = await Promise.all([
        api.get("/payout/{id}/", { id: payoutId, signal }),
        api.get("/payout/{id}/approval/", { id: payoutId, signal }),
        api.list("/transfer/", {
          filter: { op_type: 2, op_id: payoutId },
          page: { size: 1 },
          signal,
        }),
      ]);
      const [transfer = null] = transfers.data;
      return { payout: payout.data, approval: approval.data, transfer };
    },
    refetchInterval: 3_000,
  });
  return (
    <QueryView query={view} back={back}>
      {(data) => <View key={data.payout.id} {...data} />}
    </QueryView>
  );
}

function View(view: PayoutView) {
  const { payout, approval } = view;
  const { attributes } = payout;
  return (
    <>
      <PageHeader
        title={attributes.label ?? t("Payout {id}", { id: payout.id })}
        back={back}
        badge={
          <span role="status">
            <StatusBadge kind="payout" value={payout.attributes.state} />
          </span>
        }
        actions={<PayoutActions payout={payout} approval={approval} />}
      />
      <Stack>
        <ApprovalNote payout={payout} approval={approval} />
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Payment payout={payout} approval={approval} />
          <PayoutProgress payout={payout} transfer={view.transfer} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Section title={t("Activity")}>
            <ObjectTimeline type="payout" id={payout.id} />
          </Section>
          <Stack>
            <Section title={t("Recipient")}>
              <RecipientText info={attributes.travel_rule_info} />
            </Section>
            <Details payout={payout} approval={approval} />
            <ObjectCallbacks type="payout" id={payout.id} url={attributes.callback_url} />
          </Stack>
        </SimpleGrid>
      </Stack>
    </>
  );
}

function ApprovalNote({ payout, approval }: Pick<PayoutView, "payout" | "approval">) {
  const { attributes } = approval;
  if (attributes.status !== 1) return null;
  return (
    <Alert color="amber" title={t("Awaiting approval")}>
      <Text size="sm">
        {attributes.may_approve
          ? t("Requested by {name}. It is sent once you or another team member approves it.", {
              name: attributes.created_by.name,
            })
          : errorText(attributes.approve_refusal?.detail ?? "")}
      </Text>
      <ApproverNote reason={attributes.approve_refusal?.reason ?? null} />
      <DecisionPrice payout={payout} approval={approval} />
    </Alert>
  );
}

function Payment({ payout, approval }: Pick<PayoutView, "payout" | "approval">) {
  const { attributes, relationships } = payout;
  const deposit = approval.attributes.refunded_deposit ?? null;
  const currencies = useCurrencies();
  const wallet = useWallets().get(relationships.wallet.data.id);
  const currency = currencies.get(relationships.currency.data.id);
  const code = codeOf(currencies, currency?.id);
  const feeCode = codeOf(currencies, currency?.relationships.parent.data?.id ?? currency?.id);
  return (
    <Section title={t("Payment")}>
      <DetailList
        details={[
          { label: t("Amount"), value: <Amount value={attributes.amount} code={code} /> },
          {
            label: feeLabel(payout, approval, currency),
            value: <Amount value={attributes.fee_amount} code={feeCode} />,
          },
          ...(attributes.rate_requested === null || attributes.rate_requested === "1"
            ? []
            : [
                {
                  label: t("Rate"),
                  value: (
                    <>
                      1 {code} ={" "}
                      <Amount
                        value={attributes.rate_requested}
                        code={codeOf(currencies, walletCurrency(wallet))}
                      />
                    </>
                  ),
                },
              ]),
          {
            label: t("From"),
            value: (
              <TextLink to="/wallets/$walletId" params={{ walletId: relationships.wallet.data.id }}>
                {wallet?.attributes.label ?? relationships.wallet.data.id}
              </TextLink>
            ),
          },
          {
            label: t("To"),
            value:
              attributes.address === null ? (
                <PayoutTarget row={payout} />
              ) : (
                <CodeText value={attributes.address} label="address" />
              ),
          },
          ...(attributes.tag === null ? [] : [{ label: t("Tag"), value: attributes.tag }]),
          ...(deposit === null
            ? []
            : [
                {
                  label: t("Refund of"),
                  value: (
                    <TextLink to="/deposits/$depositId" params={{ depositId: deposit }}>
                      {t("Deposit {id}", { id: deposit })}
                    </TextLink>
                  ),
                },
              ]),
          { label: t("Blockchain"), value: currency?.attributes.blockchain_name ?? null },
        ]}
      />
    </Section>
  );
}

function Details({ payout, approval }: Pick<PayoutView, "payout" | "approval">) {
  const { attributes, relationships } = payout;
  const currency = useCurrencies().get(relationships.currency.data.id);
  const { created_by: creator, approved_by: approver, approved_at: at } = approval.attributes;
  return (
    <Section title={t("Details")}>
      <DetailList
        details={[
          { label: "ID", value: payout.id },
          { label: t("Requested by"), value: creator.name },
          { label: t("Created"), value: <TimeText value={attributes.created_at} withSeconds /> },
          ...(approver === null
            ? []
            : [
                { label: t("Approved by"), value: approver.name },
                { label: t("Approved at"), value: <TimeText value={at} withSeconds /> },
              ]),
          { label: t("Label"), value: attributes.label },
          { label: t("Tracking ID"), value: attributes.tracking_id },
          {
            label: t("Required confirmations"),
            value:
              attributes.confirmations_needed ??
              defaultConfirmationsText(currency?.attributes.confirmation_blocks),
          },
          { label: t("Callback URL"), value: attributes.callback_url },
        ]}
      />
    </Section>
  );
}
