import { Button, Drawer, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Callback } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { attemptText } from "../../components/attempt-text.ts";
import { CodeText } from "../../components/code-text.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { triggerLabel } from "../../components/trigger-label.ts";
import { useAction } from "../../components/use-action.ts";
import { useRole } from "../../components/use-role.ts";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";
import { CallbackBadge } from "./callback-badge.tsx";
import { CallbackSubject } from "./callback-subject.tsx";

/** One callback with its delivery attempts, beside the list. */
export function CallbackDrawer({
  id,
  onClose,
}: {
  readonly id: string;
  readonly onClose: () => void;
}) {
  const callback = useQuery({
    queryKey: ["callback", id],
    queryFn: async ({ signal }) => (await api.get("/callback/{id}/", { id, signal })).data,
    refetchInterval: 2_000,
  });
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={t("Delivery {id}", { id })}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      {callback.data === undefined ? (
        callback.error === null ? (
          <Skeleton height={200} aria-busy="true" />
        ) : (
          <ErrorAlert error={callback.error} />
        )
      ) : (
        <CallbackView callback={callback.data} />
      )}
    </Drawer>
  );
}

function CallbackView({ callback }: { readonly callback: Callback }) {
  const { attributes } = callback;
  const log = attributes.attempt_log ?? [];
  return (
    <Stack>
      <Group justify="space-between">
        <span role="status">
          <CallbackBadge attributes={attributes} />
        </span>
        <ResendButton callback={callback} />
      </Group>
      <DetailList
        details={[
          { label: t("Object"), value: <CallbackSubject attributes={attributes} /> },
          { label: t("Event"), value: triggerLabel(attributes.trigger) },
          { label: t("Endpoint"), value: <CodeText value={attributes.url} label="URL" /> },
          {
            label: t("Webhook ID"),
            value: <CodeText value={attributes.webhook_id} label="webhook ID" />,
          },
          { label: t("Created"), value: <TimeText value={attributes.created_at} withSeconds /> },
          {
            label: t("Delivered"),
            value: <TimeText value={attributes.delivered_at} withSeconds />,
          },
          {
            label: t("Next attempt"),
            value: <TimeText value={attributes.next_attempt_at} withSeconds />,
          },
        ]}
      />
      <h2 className="drawer-title">{t("Delivery attempts")}</h2>
      {log.length === 0 ? <Text c="dimmed">{t("No attempts yet.")}</Text> : null}
      <ol className="attempts" reversed start={attributes.attempts}>
        {log.map((attempt) => (
          <li key={attempt.number}>
            <Group gap="sm">
              <StatusBadge
                tone={attempt.status_code === 200 ? "good" : "bad"}
                label={attemptText(attempt.status_code ?? null, attempt.error ?? null)}
              />
              <Text size="sm" c="dimmed">
                {rich("{time}, {duration} ms", {
                  time: <TimeText value={attempt.time ?? null} withSeconds />,
                  duration: attempt.duration_ms,
                })}
              </Text>
            </Group>
            {attempt.request == null ? null : (
              <details>
                <summary>{t("Request")}</summary>
                <pre
                  className="response"
                  tabIndex={0}
                  role="group"
                  aria-label={t("Request of attempt {number}", {
                    number: String(attempt.number ?? ""),
                  })}
                >
                  {requestText(attempt.request)}
                </pre>
              </details>
            )}
            {attempt.answer == null || attempt.answer === "" ? null : (
              <>
                <Text size="sm">{t("Response")}</Text>
                <pre
                  className="response"
                  tabIndex={0}
                  role="group"
                  aria-label={t("Response to attempt {number}", {
                    number: String(attempt.number ?? ""),
                  })}
                >
                  {attempt.answer}
                </pre>
              </>
            )}
          </li>
        ))}
      </ol>
      {log.length < attributes.attempts ? (
        <Text size="sm" c="dimmed">
          {t("Showing the latest {shown} of {total} attempts.", {
            shown: log.length,
            total: attributes.attempts,
          })}
        </Text>
      ) : null}
    </Stack>
  );
}

/** Headers and body, as they were sent; the body's JSON is indented. */
function requestText(request: {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}): string {
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  const body = JSON.stringify(JSON.parse(request.body ?? "null"), null, 2);
  return [...headers, "", body].join("\n");
}

function ResendButton({ callback: { id, attributes } }: { readonly callback: Callback }) {
  const { mayCreate } = useRole();
  const queries = useQueryClient();
  const resending = useAction({
    mutationFn: () => api.post("/callback/{id}/resend/", { id }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["callback", id] });
      void queries.invalidateQueries({ queryKey: ["list"] });
    },
  });
  if (!mayCreate) return null;
  return (
    <Button
      size="xs"
      variant={attributes.status === "delivered" ? "default" : "filled"}
      loading={resending.isPending}
      onClick={() => {
        resending.mutate();
      }}
    >
      {t("Resend now")}
    </Button>
  );
}
