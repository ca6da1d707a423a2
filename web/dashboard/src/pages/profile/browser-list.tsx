import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { currentEndpoint, dropPush, pushSupport, turnOnPush } from "../../api/browser-push.ts";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useAction } from "../../components/use-action.ts";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";

const browsersKey = ["push-subscriptions"];
const endpointKey = ["push-endpoint"];

/** The browsers in which the member is notified, and whether this one is among them. */
export function BrowserList({
  pushKey,
  memberId,
}: {
  readonly pushKey: string;
  readonly memberId: string;
}) {
  const queries = useQueryClient();
  const browsers = useQuery({
    queryKey: browsersKey,
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/push-subscription/", { signal })),
  });
  const endpoint = useQuery({ queryKey: endpointKey, queryFn: currentEndpoint });
  const refresh = () => queries.invalidateQueries();
  const removing = useAction({
    mutationFn: async (browser: { readonly id: string; readonly endpoint: string }) => {
      await api.delete("/push-subscription/{id}/", { id: browser.id });
      if (browser.endpoint === endpoint.data) await dropPush();
    },
    onSuccess: refresh,
  });
  if (browsers.data === undefined || endpoint.isPending) return null;
  const isOn = browsers.data.some(({ attributes }) => attributes.endpoint === endpoint.data);
  return (
    <Stack gap="sm">
      {isOn ? null : <TurnOn pushKey={pushKey} memberId={memberId} onDone={refresh} />}
      {browsers.data.length === 0 ? null : (
        <ul className="plain-list" aria-label={t("Your browsers with notifications")}>
          {browsers.data.map(({ id, attributes }) => (
            <li key={id}>
              <Group justify="space-between">
                <Stack gap={2}>
                  <Group gap="sm">
                    <Text fw={600}>{attributes.browser}</Text>
                    {attributes.endpoint === endpoint.data ? (
                      <StatusBadge tone="good" label={t("This browser")} />
                    ) : null}
                  </Group>
                  <Text size="sm" c="dimmed">
                    {rich("Added {time}", { time: <TimeText value={attributes.created_at} /> })}
                  </Text>
                </Stack>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t("Turn off notifications in {name}", { name: attributes.browser })}
                  loading={removing.isPending && removing.variables.id === id}
                  onClick={() => {
                    removing.mutate({ id, endpoint: attributes.endpoint });
                  }}
                >
                  {t("Turn off")}
                </Button>
              </Group>
            </li>
          ))}
        </ul>
      )}
      <ErrorAlert error={removing.error} />
    </Stack>
  );
}

function TurnOn({
  pushKey,
  memberId,
  onDone,
}: {
  readonly pushKey: string;
  readonly memberId: string;
  readonly onDone: () => Promise<unknown>;
}) {
  const [support, setSupport] = useState(pushSupport);
  const turning = useAction({
    mutationFn: async () => {
      await turnOnPush(pushKey, memberId);
      setSupport(pushSupport());
    },
    onSuccess: onDone,
  });
  if (support === "unsupported")
    return (
      <Text c="dimmed">
        {t("This browser can't show notifications.")}{" "}
        {t("On an iPhone or iPad, add this page to the home screen and open it from there.")}
      </Text>
    );
  if (support === "blocked")
    return (
      <Text c="dimmed">
        {t("Notifications are blocked in this browser. Allow them for this site in its settings.")}
      </Text>
    );
  const isOfBrowser = turning.error instanceof DOMException;
  return (
    <>
      <Group gap="sm">
        <Button
          variant="default"
          loading={turning.isPending}
          onClick={() => {
            turning.mutate();
          }}
        >
          {t("Turn on in this browser")}
        </Button>
      </Group>
      {isOfBrowser ? (
        <Text c="red" role="alert">
          {t("This browser couldn't reach its push service. Try again later.")}
        </Text>
      ) : (
        <ErrorAlert error={turning.error} />
      )}
    </>
  );
}
