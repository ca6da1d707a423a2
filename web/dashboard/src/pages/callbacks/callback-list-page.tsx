import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconSend, IconWebhook } from "@tabler/icons-react";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { listSource, type RowOf } from "../../api/list-source.ts";
import { useWallets } from "../../api/lookups.ts";
import { attemptText } from "../../components/attempt-text.ts";
import { EmptyList } from "../../components/empty-list.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { createdColumn, idColumn } from "../../components/list-columns.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { statusChoices } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { triggerLabel } from "../../components/trigger-label.ts";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";
import { walletFilter } from "../wallets/wallet-choices.ts";
import { WebhookHeader } from "../webhooks/webhook-header.tsx";
import { CallbackBadge, callbackLabel } from "./callback-badge.tsx";
import { CallbackDrawer } from "./callback-drawer.tsx";
import { CallbackSubject } from "./callback-subject.tsx";
import { FailingEndpoints } from "./failing-endpoints.tsx";
import { ResendDialog } from "./resend-dialog.tsx";
import { callbackSearch } from "./resend-filter.ts";
import { TestDialog } from "./test-dialog.tsx";

const source = listSource("/callback/");
type Row = RowOf<typeof source>;

/** Keeps the list's filters and page while the drawer opens and closes. */
const sameList = { search: true, state: true } as const;

/** All callbacks with their delivery status. */
export function CallbackListPage() {
  const navigate = useNavigate();
  const { callbackId } = useParams({ strict: false });
  const { mayCreate } = useRole();
  const [isTesting, testing] = useDisclosure(false);
  const [isResending, resending] = useDisclosure(false);
  return (
    <>
      <WebhookHeader
        description={t(
          "Deliveries to your endpoints and to the callback URLs of deposits and payouts.",
        )}
        actions={
          mayCreate ? (
            <Group gap="sm">
              <Button variant="default" onClick={resending.open}>
                {t("Resend failed")}
              </Button>
              <Button leftSection={<IconSend size={16} />} onClick={testing.open}>
                {t("Send test")}
              </Button>
            </Group>
          ) : null
        }
      />
      <FailingEndpoints />
      <ResourceTable
        name="Deliveries"
        source={source}
        columns={columns}
        filters={useFilters()}
        search={{ label: t("Search by URL"), toFilter: callbackSearch }}
        refreshSeconds={5}
        onOpen={({ id }) =>
          void navigate({
            to: "/webhooks/deliveries/$callbackId",
            params: { callbackId: id },
            ...sameList,
          })
        }
        empty={
          <EmptyList icon={IconWebhook} title={t("No deliveries yet")}>
            {t(
              "Add an endpoint, or set a callback URL on a deposit or payout, to receive signed webhooks. Use “Send test” to try your endpoint.",
            )}
          </EmptyList>
        }
      />
      {callbackId === undefined ? null : (
        <CallbackDrawer
          id={callbackId}
          onClose={() => void navigate({ to: "/webhooks/deliveries", ...sameList })}
        />
      )}
      {isTesting ? (
        <TestDialog
          onClose={testing.close}
          onSent={(id) => {
            testing.close();
            void navigate({
              to: "/webhooks/deliveries/$callbackId",
              params: { callbackId: id },
              ...sameList,
            });
          }}
        />
      ) : null}
      {isResending ? <ResendDialog onClose={resending.close} /> : null}
    </>
  );
}

function useFilters(): readonly FilterField[] {
  const wallets = useWallets();
  return useMemo(
    () => [
      {
        kind: "choice",
        name: "status",
        label: t("Status"),
        choices: [...statusChoices("callback"), { value: "retrying", label: t("Retrying") }],
      },
      {
        kind: "choice",
        name: "object_type",
        label: t("Object"),
        choices: [
          { value: "deposit", label: t("Deposits") },
          { value: "payout", label: t("Payouts") },
          { value: "test", label: t("Tests") },
        ],
      },
      { kind: "text", name: "object_id", label: t("Object ID") },
      walletFilter(wallets),
      { kind: "text", name: "trigger", label: t("Event") },
      { kind: "days", name: "created_at", label: t("Created") },
    ],
    [wallets],
  );
}

/** The result of the newest attempt; null before the first. */
function lastAttempt({ attempts, last_status_code: code, last_error: error }: Row["attributes"]) {
  return attempts === 0 ? null : attemptText(code, error);
}

const columns: readonly TableColumn<Row>[] = [
  idColumn("Delivery", (id) => (
    <TextLink to="/webhooks/deliveries/$callbackId" params={{ callbackId: id }} {...sameList}>
      {id}
    </TextLink>
  )),
  {
    id: "status",
    header: "Status",
    cell: ({ attributes }) => <CallbackBadge attributes={attributes} />,
    csv: ({ attributes }) => callbackLabel(attributes),
    sort: "status",
  },
  {
    id: "about",
    header: "Object",
    cell: ({ attributes }) => <CallbackSubject attributes={attributes} />,
    csv: ({ attributes }) => `${attributes.object_type} ${attributes.object_id}`,
  },
  {
    id: "trigger",
    header: "Event",
    cell: ({ attributes }) => triggerLabel(attributes.trigger),
    csv: ({ attributes }) => triggerLabel(attributes.trigger),
  },
  {
    id: "url",
    header: "Endpoint",
    cell: ({ attributes: { url } }) => (
      <span className="code-text" title={url}>
        {url.replace(/^https?:\/\//, "")}
      </span>
    ),
    csv: ({ attributes }) => attributes.url,
  },
  {
    id: "attempts",
    header: "Attempts",
    align: "end",
    cell: ({ attributes }) => attributes.attempts,
    csv: ({ attributes }) => String(attributes.attempts),
    sort: "attempts",
  },
  {
    id: "last_status_code",
    header: "Last attempt",
    cell: ({ attributes }) => lastAttempt(attributes) ?? "–",
    csv: ({ attributes }) => lastAttempt(attributes) ?? "",
  },
  createdColumn,
];
