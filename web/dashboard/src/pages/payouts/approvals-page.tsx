import { Button, Card, Checkbox, Group, Stack, Text } from "@mantine/core";
import { IconChecks } from "@tabler/icons-react";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Payout, PayoutApproval } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies, useWallets } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { EmptyList } from "../../components/empty-list.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { errorText } from "../../language/error-text.ts";
import { t } from "../../language/t.ts";
import { ApproveDialog } from "./approve-dialog.tsx";
import { DecisionPrice } from "./decision-price.tsx";
import { PayoutTarget } from "./payout-list-page.tsx";
import { useApprovals } from "./use-approvals.ts";

type Waiting = { readonly id: string; readonly payout: Payout; readonly approval: PayoutApproval };

const pageSize = 25;

/** The payouts that await approval, oldest first. */
export function ApprovalsPage() {
  const waiting = useWaiting();
  const rows = waiting.data?.pages.flatMap(({ rows: ofPage }) => ofPage) ?? [];
  return (
    <>
      <PageHeader
        title={t("Awaiting approval")}
        back={{ to: "/payouts", label: t("Payouts") }}
        description={t(
          "Payouts awaiting approval by a second team member, whom their creator did not invite. Funds are reserved.",
        )}
      />
      <ErrorAlert error={waiting.error} mb="md" />
      {waiting.isSuccess && rows.length === 0 ? (
        <Card>
          <EmptyList icon={IconChecks} title={t("No payouts await approval")}>
            {t(
              "Payouts above a limit, or by members with the role “Payouts with approval”, appear here.",
            )}
          </EmptyList>
        </Card>
      ) : (
        <Queue rows={waiting.isSuccess ? rows : undefined} />
      )}
      {waiting.hasNextPage ? (
        <Button
          variant="default"
          mt="md"
          loading={waiting.isFetchingNextPage}
          onClick={() => void waiting.fetchNextPage()}
        >
          {t("Show more")}
        </Button>
      ) : null}
    </>
  );
}

function useWaiting() {
  return useInfiniteQuery({
    queryKey: ["approvals"],
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        filter: { status: 1 },
        sort: ["created_at"],
        page: { after: pageParam, size: pageSize },
        signal,
      } as const;
      const payouts = await api.list("/payout/", query);
      const approvals = await api.list("/payout-approval/", query);
      const byId = new Map(approvals.data.map((approval) => [approval.id, approval]));
      const rows = payouts.data.flatMap((payout): Waiting[] => {
        const approval = byId.get(payout.id);
        return approval === undefined ? [] : [{ id: payout.id, payout, approval }];
      });
      return { rows, next: payouts.next };
    },
    getNextPageParam: ({ next }) => next,
    refetchInterval: 5_000,
  });
}

function Queue({ rows }: { readonly rows: readonly Waiting[] | undefined }) {
  const queries = useQueryClient();
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const [canceling, setCanceling] = useState<Waiting | null>(null);
  const [approving, setApproving] = useState<readonly Waiting[]>([]);
  const refresh = (): void => {
    void queries.invalidateQueries();
  };
  const { approve, refusals, isApproving } = useApprovals(refresh);
  const approvable = (rows ?? []).filter(({ approval }) => approval.attributes.may_approve);
  const selected = approvable.filter(({ id }) => selectedIds.has(id));
  const toggle = (id: string): void => {
    const next = new Set(selectedIds);
    if (!next.delete(id)) next.add(id);
    setSelectedIds(next);
  };
  const approveAll = (some: readonly Waiting[]): void => {
    approve(some.map(({ id }) => id));
    setSelectedIds(new Set());
  };
  return (
    <Card>
      <Group pb="md" justify="space-between">
        <Checkbox
          label={t("Select all")}
          disabled={approvable.length === 0}
          checked={approvable.length > 0 && selected.length === approvable.length}
          indeterminate={selected.length > 0 && selected.length < approvable.length}
          onChange={({ currentTarget }) => {
            setSelectedIds(new Set(currentTarget.checked ? approvable.map(({ id }) => id) : []));
          }}
        />
        <Button
          disabled={selected.length === 0}
          loading={isApproving}
          onClick={() => {
            setApproving(selected);
          }}
        >
          {selected.length === 0
            ? t("Approve selected")
            : t("Approve selected ({count})", { count: selected.length })}
        </Button>
      </Group>
      <QueueTable
        rows={rows}
        {...{ selectedIds, toggle, refusals, isApproving }}
        onApprove={(row) => {
          setApproving([row]);
        }}
        onCancel={setCanceling}
      />
      {approving.length === 0 ? null : (
        <ApproveDialog
          waiting={approving}
          onClose={() => {
            setApproving([]);
          }}
          act={() => {
            approveAll(approving);
            return Promise.resolve();
          }}
        />
      )}
      <ConfirmDialog
        isOpen={canceling !== null}
        onClose={() => {
          setCanceling(null);
        }}
        title={t("Cancel payout {id}?", { id: canceling?.id ?? "" })}
        action={t("Cancel payout")}
        dismissal={t("Keep payout")}
        isDangerous
        act={() => api.post("/payout/{id}/cancel/", { id: canceling?.id ?? "" })}
        onDone={refresh}
      >
        {t(
          "The funds return to the wallet. If the payout is a refund, the payment goes back on hold.",
        )}
      </ConfirmDialog>
    </Card>
  );
}

function QueueTable({
  rows,
  selectedIds,
  toggle,
  refusals,
  isApproving,
  onApprove,
  onCancel,
}: {
  readonly rows: readonly Waiting[] | undefined;
  readonly selectedIds: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly refusals: ReadonlyMap<string, string>;
  readonly isApproving: boolean;
  readonly onApprove: (row: Waiting) => void;
  readonly onCancel: (row: Waiting) => void;
}) {
  const currencies = useCurrencies();
  const wallets = useWallets();
  return (
    <MiniTable
      name="Payouts awaiting approval"
      rows={rows}
      empty={t("No payouts await approval.")}
      columns={[
        {
          header: "Payout",
          cell: ({ id, payout, approval }) => (
            <Group gap="sm" wrap="nowrap">
              <Checkbox
                aria-label={t("Select payout {id}", { id })}
                disabled={!approval.attributes.may_approve}
                checked={selectedIds.has(id)}
                onChange={() => {
                  toggle(id);
                }}
              />
              <TextLink to="/payouts/$payoutId" params={{ payoutId: id }}>
                {payout.attributes.label ?? id}
              </TextLink>
            </Group>
          ),
        },
        {
          header: "Requested by",
          cell: ({ approval: { attributes } }) => (
            <div>
              {attributes.created_by.name}
              <Text size="xs" c="dimmed">
                <TimeText value={attributes.created_at} />
              </Text>
            </div>
          ),
        },
        {
          header: "From",
          cell: ({ payout: { relationships } }) =>
            wallets.get(relationships.wallet.data.id)?.attributes.label ??
            relationships.wallet.data.id,
        },
        {
          header: "To",
          cell: ({ payout, approval: { attributes } }) => (
            <div>
              {attributes.recipient === null ? null : <Text size="sm">{attributes.recipient}</Text>}
              <PayoutTarget row={payout} />
            </div>
          ),
        },
        {
          header: "Amount",
          align: "end",
          cell: ({ payout, approval }) => (
            <div>
              <Amount
                value={payout.attributes.amount}
                code={codeOf(currencies, payout.relationships.currency.data.id)}
              />
              <DecisionPrice payout={payout} approval={approval} />
            </div>
          ),
        },
        {
          header: "Actions",
          cell: (row) => (
            <RowActions
              row={row}
              refusal={refusals.get(row.id) ?? null}
              {...{ isApproving, onApprove, onCancel }}
            />
          ),
        },
      ]}
    />
  );
}

/** The buttons of a row, with the reasons why some are disabled. */
function RowActions({
  row,
  refusal,
  isApproving,
  onApprove,
  onCancel,
}: {
  readonly row: Waiting;
  readonly refusal: string | null;
  readonly isApproving: boolean;
  readonly onApprove: (row: Waiting) => void;
  readonly onCancel: (row: Waiting) => void;
}) {
  const { may_approve, approve_refusal, may_cancel, cancel_refusal } = row.approval.attributes;
  const reasons = [...new Set([refusal, approve_refusal?.detail, cancel_refusal?.detail])].filter(
    (text) => text !== null && text !== undefined,
  );
  return (
    <Stack gap={4}>
      <Group gap="xs" wrap="nowrap">
        <Button
          size="xs"
          disabled={!may_approve || isApproving}
          aria-label={t("Approve payout {id}", { id: row.id })}
          onClick={() => {
            onApprove(row);
          }}
        >
          {t("Approve")}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={!may_cancel}
          aria-label={t("Cancel payout {id}", { id: row.id })}
          onClick={() => {
            onCancel(row);
          }}
        >
          {t("Cancel payout")}
        </Button>
      </Group>
      {reasons.map((reason) => (
        <Text key={reason} size="xs" c="dimmed" maw={260}>
          {errorText(reason)}
        </Text>
      ))}
    </Stack>
  );
}
