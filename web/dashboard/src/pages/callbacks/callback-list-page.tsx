import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconSend, IconWebhook } from "@tabler/icons-react";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { listSource, type RowOf } from "../../api/list-source.ts";
import { useWallets } from "../../api/lookups.ts";
import { EmptyList } from "../../components/empty-list.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { createdColumn, idColumn } from "../../components/list-columns.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { StatusBadge, statusChoices } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useRole } from "../../components/use-role.ts";
import { walletChoices } from "../wallets/wallet-choices.ts";
import { CallbackDrawer } from "./callback-drawer.tsx";
import { ResendDialog } from "./resend-dialog.tsx";
import { StoppedReceivers } from "./stopped-receivers.tsx";
import { TestDialog } from "./test-dialog.tsx";
import { triggerInWords } from "./trigger-in-words.ts";

const source = listSource("/callback/");
type Row = RowOf<typeof source>;

/** The list behind the drawer stays at its page. */
const sameList = { search: true, state: true } as const;

/** Every delivery to a shop, with what it answered. */
export function CallbackListPage() {
  const navigate = useNavigate();
  const { callbackId } = useParams({ strict: false });
  const { mayCreate } = useRole();
  const [isTesting, testing] = useDisclosure(false);
  const [isResending, resending] = useDisclosure(false);
  return (
    <>
      <PageHeader
        title="Callbacks"
        description="What your shop was told, and what it answered."
        actions={
          mayCreate ? (
            <Group gap="sm">
              <Button variant="default" onClick={resending.open}>
                Resend failed
              </Button>
              <Button leftSection={<IconSend size={16} />} onClick={testing.open}>
                Test delivery
              </Button>
            </Group>
          ) : null
        }
      />
      <StoppedReceivers />
      <ResourceTable
        name="Callbacks"
        source={source}
        columns={columns}
        filters={useFilters()}
        search={{ label: "Search by URL", toFilter: (url) => ({ url }) }}
        refreshSeconds={5}
        onOpen={({ id }) =>
          void navigate({ to: "/callbacks/$callbackId", params: { callbackId: id }, ...sameList })
        }
        empty={
          <EmptyList icon={IconWebhook} title="No callbacks yet">
            Give a deposit or a payout a callback URL, and each change is told there, signed. “Test
            delivery” tries a receiver without any money.
          </EmptyList>
        }
      />
      {callbackId === undefined ? null : (
        <CallbackDrawer
          id={callbackId}
          onClose={() => void navigate({ to: "/callbacks", ...sameList })}
        />
      )}
      {isTesting ? (
        <TestDialog
          onClose={testing.close}
          onSent={(id) => {
            testing.close();
            void navigate({
              to: "/callbacks/$callbackId",
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
      { kind: "choice", name: "status", label: "State", choices: statusChoices("callback") },
      {
        kind: "choice",
        name: "object_type",
        label: "About",
        choices: [
          { value: "deposit", label: "Deposits" },
          { value: "payout", label: "Payouts" },
          { value: "test", label: "Tests" },
        ],
      },
      { kind: "text", name: "object_id", label: "Its number" },
      {
        kind: "choice",
        name: "wallet",
        label: "Wallet",
        choices: walletChoices(wallets.values()),
      },
      { kind: "text", name: "trigger", label: "What happened" },
      { kind: "days", name: "created_at", label: "Made" },
    ],
    [wallets],
  );
}

const columns: readonly TableColumn<Row>[] = [
  idColumn("Callback", (id) => (
    <TextLink to="/callbacks/$callbackId" params={{ callbackId: id }} {...sameList}>
      {id}
    </TextLink>
  )),
  {
    id: "status",
    header: "State",
    cell: ({ attributes }) => <CallbackBadge attributes={attributes} />,
    csv: ({ attributes }) => attributes.status,
    sort: "status",
  },
  {
    id: "about",
    header: "About",
    cell: ({ attributes }) => <SubjectLink attributes={attributes} />,
    csv: ({ attributes }) => `${attributes.object_type} ${attributes.object_id}`,
  },
  {
    id: "trigger",
    header: "What happened",
    cell: ({ attributes }) => triggerInWords(attributes.trigger),
    csv: ({ attributes }) => attributes.trigger,
  },
  {
    id: "url",
    header: "To",
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
    header: "Answer",
    align: "end",
    cell: ({ attributes }) =>
      attributes.last_status_code ?? (attributes.attempts === 0 ? "–" : "none"),
    csv: ({ attributes }) => String(attributes.last_status_code ?? ""),
  },
  { ...createdColumn, header: "Made" },
];

/** One that failed and waits for its next attempt is told apart from one that was never tried. */
export function CallbackBadge({ attributes }: Pick<Row, "attributes">) {
  const { status, attempts, last_status_code: code } = attributes;
  return status === "pending" && attempts > 0 && code !== 200 ? (
    <StatusBadge tone="attention" label="Failing, tried again" />
  ) : (
    <StatusBadge kind="callback" value={status} />
  );
}

/** What it is about, with the way there. */
export function SubjectLink(props: Pick<Row, "attributes">) {
  return (
    <span className="one-line">
      <Subject {...props} />
    </span>
  );
}

function Subject({ attributes }: Pick<Row, "attributes">) {
  const { object_type: type, object_id: id } = attributes;
  if (type === "deposit")
    return (
      <TextLink to="/deposits/$depositId" params={{ depositId: id }}>
        Deposit {id}
      </TextLink>
    );
  if (type === "payout")
    return (
      <TextLink to="/payouts/$payoutId" params={{ payoutId: id }}>
        Payout {id}
      </TextLink>
    );
  return "Test";
}
