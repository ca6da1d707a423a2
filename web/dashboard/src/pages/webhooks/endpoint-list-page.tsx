import { Anchor, Button, Group, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { api } from "../../api/api.ts";
import { listSource, type RowOf } from "../../api/list-source.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { EmptyList } from "../../components/empty-list.tsx";
import { createdColumn } from "../../components/list-columns.tsx";
import { OneTimeSecrets } from "../../components/one-time-secrets.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useAction } from "../../components/use-action.ts";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { eventsText } from "./endpoint-events.ts";
import { sendTestDelivery, testDeliveryNotice } from "./test-delivery.ts";
import { WebhookHeader } from "./webhook-header.tsx";

const source = listSource("/webhook-endpoint/");
type Row = RowOf<typeof source>;

type Open =
  | { readonly kind: "new" }
  | { readonly kind: "edit" | "rotate" | "remove" | "disable"; readonly row: Row };

/** The account's webhook endpoints. */
export function EndpointListPage() {
  const queries = useQueryClient();
  const { mayAdministerAccount } = useRole();
  const [open, setOpen] = useState<Open | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const refresh = (): void => {
    void queries.invalidateQueries({ queryKey: ["list"] });
  };
  const close = (): void => {
    setOpen(null);
  };
  return (
    <>
      <WebhookHeader
        description={t(
          "Endpoints that receive your account's events, next to the callback URLs of deposits and payouts.",
        )}
        actions={
          mayAdministerAccount ? (
            <Button
              leftSection={<IconPlus size={16} />}
              onClick={() => {
                setOpen({ kind: "new" });
              }}
            >
              {t("New endpoint")}
            </Button>
          ) : null
        }
      />
      <Stack>
        {secret === null ? null : (
          <OneTimeSecrets
            title={t("Signing secret")}
            secrets={[{ label: t("Secret"), kind: "secret", value: secret }]}
          >
            {t(
              "Verify deliveries to this endpoint with it (Standard Webhooks). It won't be shown again.",
            )}
          </OneTimeSecrets>
        )}
        <ResourceTable
          name="Webhook endpoints"
          source={source}
          columns={useColumns(mayAdministerAccount, setOpen, refresh)}
          empty={
            <EmptyList
              icon={IconWebhook}
              title={
                mayAdministerAccount ? t("No webhook endpoints yet") : t("No endpoints to show")
              }
            >
              {mayAdministerAccount
                ? t("Create one to receive the events of every deposit and payout at one URL.")
                : t(
                    "Owners and Admins with access to all wallets manage the endpoints that receive the events of every deposit and payout.",
                  )}
            </EmptyList>
          }
        />
      </Stack>
      {open?.kind === "new" || open?.kind === "edit" ? (
        <EndpointDialog
          endpoint={open.kind === "edit" ? open.row : null}
          onClose={close}
          onDone={refresh}
          onSecret={setSecret}
        />
      ) : null}
      <Confirmations open={open} onClose={close} onDone={refresh} onSecret={setSecret} />
    </>
  );
}

/** The API does not sort endpoints. */
const unsortedCreatedColumn: TableColumn<Row> = {
  id: createdColumn.id,
  header: createdColumn.header,
  cell: createdColumn.cell,
  csv: ({ attributes }) => attributes.created_at,
  isOptional: true,
};

function useColumns(
  mayAdministerAccount: boolean,
  setOpen: (open: Open) => void,
  refresh: () => void,
): readonly TableColumn<Row>[] {
  return useMemo((): readonly TableColumn<Row>[] => {
    const shown: readonly TableColumn<Row>[] = [
      {
        id: "url",
        header: "URL",
        cell: ({ attributes }) => attributes.url,
        csv: ({ attributes }) => attributes.url,
      },
      {
        id: "description",
        header: "Description",
        cell: ({ attributes }) => (attributes.description === "" ? "–" : attributes.description),
        csv: ({ attributes }) => attributes.description,
      },
      {
        id: "events",
        header: "Events",
        cell: ({ attributes }) => <span className="one-line">{eventsText(attributes.events)}</span>,
        csv: ({ attributes }) => attributes.events?.join(" ") ?? "all",
      },
      {
        id: "status",
        header: "Status",
        cell: ({ attributes }) => (attributes.is_enabled ? t("Enabled") : t("Disabled")),
        csv: ({ attributes }) => (attributes.is_enabled ? t("Enabled") : t("Disabled")),
      },
      {
        id: "deliveries",
        header: "Deliveries",
        cell: ({ id }) => (
          <TextLink to="/webhooks/deliveries" search={{ "filter[webhook_endpoint]": id }}>
            {t("View")}
          </TextLink>
        ),
      },
      unsortedCreatedColumn,
    ];
    if (!mayAdministerAccount) return shown;
    return [
      ...shown,
      {
        id: "actions",
        header: "Actions",
        cell: (row) => <EndpointActions row={row} onOpen={setOpen} onDone={refresh} />,
      },
    ];
  }, [mayAdministerAccount, setOpen, refresh]);
}

function EndpointActions({
  row,
  onOpen,
  onDone,
}: {
  readonly row: Row;
  readonly onOpen: (open: Open) => void;
  readonly onDone: () => void;
}) {
  const { id, attributes } = row;
  const testing = useAction({
    mutationFn: () => sendTestDelivery(id),
    onSuccess: (delivery) => {
      onDone();
      const { message, ...notice } = testDeliveryNotice(delivery);
      notifications.show({
        ...notice,
        message: <DeliveryMessage id={delivery.id} text={message} />,
      });
    },
  });
  const enabling = useAction({
    mutationFn: () =>
      api.patch("/webhook-endpoint/{id}/", { id, attributes: { is_enabled: true } }),
    onSuccess: onDone,
  });
  const button = (name: string, click: () => void, isLoading = false) => (
    <Button
      size="xs"
      variant="default"
      aria-label={`${name}: ${attributes.url}`}
      loading={isLoading}
      onClick={click}
    >
      {name}
    </Button>
  );
  return (
    <Group gap="xs">
      {attributes.is_enabled
        ? button(
            t("Send test"),
            () => {
              testing.mutate();
            },
            testing.isPending,
          )
        : button(
            t("Enable"),
            () => {
              enabling.mutate();
            },
            enabling.isPending,
          )}
      {button(t("Edit"), () => {
        onOpen({ kind: "edit", row });
      })}
      {button(t("Rotate secret"), () => {
        onOpen({ kind: "rotate", row });
      })}
      {attributes.is_enabled
        ? button(t("Disable"), () => {
            onOpen({ kind: "disable", row });
          })
        : null}
      {button(t("Remove"), () => {
        onOpen({ kind: "remove", row });
      })}
    </Group>
  );
}

function Confirmations({
  open,
  onClose,
  onDone,
  onSecret,
}: {
  readonly open: Open | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
  readonly onSecret: (secret: string) => void;
}) {
  const id = open === null || open.kind === "new" ? "" : open.row.id;
  return (
    <>
      <ConfirmDialog
        isOpen={open?.kind === "rotate"}
        onClose={onClose}
        title={t("Rotate the endpoint's secret?")}
        action={t("Rotate secret")}
        act={async () => {
          const { data } = await api.post("/webhook-endpoint/{id}/rotate-secret/", {
            id,
            attributes: { grace_hours: 24 },
          });
          onSecret(data.attributes.secret ?? "");
        }}
        onDone={onDone}
      >
        {t(
          "The new secret is shown once. Deliveries are also signed with the previous one for 24 hours.",
        )}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={open?.kind === "disable"}
        onClose={onClose}
        title={t("Disable this endpoint?")}
        action={t("Disable endpoint")}
        act={() => api.patch("/webhook-endpoint/{id}/", { id, attributes: { is_enabled: false } })}
        onDone={onDone}
      >
        {t(
          "It receives no events until you enable it. Deliveries that wait for another attempt end; you can resend them later.",
        )}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={open?.kind === "remove"}
        onClose={onClose}
        title={t("Remove this endpoint?")}
        action={t("Remove endpoint")}
        isDangerous
        act={() => api.delete("/webhook-endpoint/{id}/", { id })}
        onDone={onDone}
      >
        {t("It receives no more events. Its past deliveries stay in the log.")}
      </ConfirmDialog>
    </>
  );
}

/** Notifications are rendered outside the router, so this is a plain link. */
function DeliveryMessage({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <>
      {text}{" "}
      <Anchor href={`/ui/webhooks/deliveries/${id}`} size="sm" underline="always">
        {t("Open delivery {id}", { id })}
      </Anchor>
    </>
  );
}
