import { Alert, Button, Card, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { PayoutApproval, PayoutBatch } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, useWallets } from "../../api/lookups.ts";
import { refreshEvery } from "../../api/refresh-every.ts";
import { Amount } from "../../components/amount.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useRole } from "../../components/use-role.ts";
import { errorText } from "../../language/error-text.ts";
import { rich } from "../../language/rich.tsx";
import { plural, t } from "../../language/t.ts";
import { ApproverNote } from "../payouts/approver-note.tsx";
import { BatchFaults } from "./batch-faults.tsx";
import { BatchRecipient } from "./batch-recipient.tsx";
import { unapprovedKey, useRefusals, useUnapproved } from "./batch-refusals.ts";
import { BatchTotals } from "./batch-totals.tsx";
import { batchState, createdText } from "./batch-words.ts";

/** One file's payouts, with their common approval. */
export function BatchPage() {
  const { batchId = "" } = useParams({ strict: false });
  const batch = useQuery({
    queryKey: ["payout-batch", batchId],
    queryFn: async ({ signal }) =>
      (await api.get("/payout-batch/{id}/", { id: batchId, signal })).data,
    refetchInterval: refreshEvery(5_000),
  });
  if (batch.data === undefined)
    return batch.error === null ? (
      <Skeleton height={320} aria-busy="true" />
    ) : (
      <ErrorAlert error={batch.error} />
    );
  return <BatchView batch={batch.data} />;
}

function BatchView({ batch }: { readonly batch: PayoutBatch }) {
  const { attributes, relationships } = batch;
  const currency = relationships.currency.data.id;
  const code = codeOf(useCurrencies(), currency);
  const approval = useApproval(batch);
  const wallet = useWallets().get(relationships.wallet.data.id);
  return (
    <>
      <PageHeader
        title={attributes.reference}
        back={{ to: "/batches", label: t("Bulk payouts") }}
        badge={<StatusBadge {...batchState(attributes)} />}
        actions={
          <>
            <CancelButton batch={batch} approval={approval} />
            <ApproveButton batch={batch} approval={approval} />
          </>
        }
      />
      <Stack>
        <BatchAlerts batch={batch} approval={approval} />
        <Card>
          <BatchTotals
            sums={{
              amount: attributes.amount,
              commission: attributes.commission ?? "0",
              fees: attributes.fees ?? "0",
              fee_currency: attributes.fee_currency ?? "",
            }}
            currency={currency}
            details={[
              { label: t("Payouts created"), value: createdText(attributes) },
              {
                label: t("From"),
                value: wallet?.attributes.label ?? relationships.wallet.data.id,
              },
              ...(approval === null
                ? []
                : [{ label: t("Requested by"), value: approval.attributes.created_by.name }]),
              {
                label: t("Created"),
                value: <TimeText value={attributes.created_at} withSeconds />,
              },
            ]}
          />
        </Card>
        <BatchPayouts batch={batch} code={code} />
      </Stack>
    </>
  );
}

/** Why its payouts are not all there, or not all approved. */
function BatchAlerts({
  batch: { id, attributes },
  approval,
}: {
  readonly batch: PayoutBatch;
  readonly approval: PayoutApproval | null;
}) {
  const refusals = useRefusals(id);
  const unapproved = useUnapproved(id);
  const isWaiting = (attributes.states["needs_approval"] ?? 0) > 0;
  return (
    <>
      {approval === null || approval.attributes.may_approve ? null : (
        <Alert color="amber" title={t("Awaiting approval")}>
          <Text size="sm">{errorText(approval.attributes.approve_refusal?.detail ?? "")}</Text>
          <ApproverNote reason={approval.attributes.approve_refusal?.reason ?? null} />
        </Alert>
      )}
      {unapproved.length === 0 || !isWaiting ? null : (
        <Alert color="red" role="alert" title={t("Some payouts were not approved")}>
          <BatchFaults faults={unapproved} />
        </Alert>
      )}
      {refusals.length === 0 || attributes.state !== "incomplete" ? null : (
        <Alert color="red" role="alert" title={t("Some payouts were refused")}>
          <p>{t("Correct the cause and upload the same file again.")}</p>
          <BatchFaults faults={refusals} />
        </Alert>
      )}
    </>
  );
}

/** The approval of the first payout that waits for it, which all of them share; null while none is known. */
function useApproval({ id, attributes }: PayoutBatch): PayoutApproval | null {
  const waiting = attributes.payouts?.find(({ state }) => state === "needs_approval")?.payout_id;
  const approval = useQuery({
    queryKey: ["payout-batch", id, "approval", waiting],
    queryFn: async ({ signal }) =>
      (await api.get("/payout/{id}/approval/", { id: waiting ?? "", signal })).data,
    enabled: waiting != null,
  });
  return waiting == null ? null : (approval.data ?? null);
}

/** The rows of the file, each with its payout. */
function BatchPayouts({
  batch,
  code,
}: {
  readonly batch: PayoutBatch;
  readonly code: string | null;
}) {
  return (
    <Section title={t("Payouts")}>
      <MiniTable
        name="Payouts of this batch"
        rows={(batch.attributes.payouts ?? []).map((payout) => ({
          ...payout,
          id: String(payout.row),
        }))}
        empty={t("No payouts yet.")}
        columns={[
          { header: "Row", cell: ({ row }) => row },
          {
            header: "Payout",
            cell: ({ payout_id: id, state }) =>
              id === null || id === undefined ? (
                notCreatedText(state)
              ) : (
                <TextLink to="/payouts/$payoutId" params={{ payoutId: id }}>
                  {id}
                </TextLink>
              ),
          },
          {
            header: "Recipient",
            cell: ({ payout_id: id, ...row }) =>
              id === null || id === undefined ? "–" : <BatchRecipient {...row} />,
          },
          {
            header: "Amount",
            align: "end",
            cell: ({ amount }) => <Amount value={amount ?? null} code={code} />,
          },
          {
            header: "Status",
            cell: ({ state }) =>
              state === null || state === undefined ? (
                "–"
              ) : (
                <StatusBadge kind="payout" value={state} />
              ),
          },
        ]}
      />
    </Section>
  );
}

/** A canceled batch creates no more payouts. */
function notCreatedText(state: string | null | undefined): string {
  return state === "canceled" ? t("Not created") : t("Not created. Upload the file again.");
}

function CancelButton({
  batch: { id, attributes },
  approval,
}: {
  readonly batch: PayoutBatch;
  readonly approval: PayoutApproval | null;
}) {
  const queries = useQueryClient();
  const [isCanceling, setCanceling] = useState(false);
  if (approval?.attributes.may_cancel !== true) return null;
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          setCanceling(true);
        }}
      >
        {t("Cancel batch")}
      </Button>
      <ConfirmDialog
        isOpen={isCanceling}
        onClose={() => {
          setCanceling(false);
        }}
        title={t("Cancel this batch?")}
        action={t("Cancel batch")}
        dismissal={t("Keep batch")}
        isDangerous
        act={() => api.post("/payout-batch/{id}/cancel/", { id })}
        onDone={() => void queries.invalidateQueries()}
      >
        {t(
          "All payouts of “{reference}” that are not signed yet are canceled together. The funds return to the wallet.",
          { reference: attributes.reference },
        )}
      </ConfirmDialog>
    </>
  );
}

function ApproveButton({
  batch: { id, attributes, relationships },
  approval,
}: {
  readonly batch: PayoutBatch;
  readonly approval: PayoutApproval | null;
}) {
  const queries = useQueryClient();
  const { mayApprove } = useRole();
  const [isApproving, setApproving] = useState(false);
  const code = codeOf(useCurrencies(), relationships.currency.data.id);
  const waiting = attributes.states["needs_approval"] ?? 0;
  if (!mayApprove || waiting === 0) return null;
  return (
    <>
      <Button
        disabled={approval?.attributes.may_approve !== true}
        onClick={() => {
          setApproving(true);
        }}
      >
        {t("Approve batch")}
      </Button>
      <ConfirmDialog
        isOpen={isApproving}
        onClose={() => {
          setApproving(false);
        }}
        title={t("Approve this batch?")}
        action={plural(waiting, "Approve {count} payout", "Approve {count} payouts")}
        act={async () => {
          const { data } = await api.post("/payout-batch/{id}/approve/", { id });
          queries.setQueryData(unapprovedKey(id), data.attributes.faults ?? []);
        }}
        onDone={() => void queries.invalidateQueries()}
      >
        {rich(
          "“{reference}” pays {amount} in {payouts}, plus network fees. Check the recipients in the list first.",
          {
            reference: attributes.reference,
            amount: <Amount value={attributes.amount} code={code} />,
            payouts: plural(attributes.rows, "{count} payout", "{count} payouts"),
          },
        )}
      </ConfirmDialog>
    </>
  );
}
