import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useAction } from "../../components/use-action.ts";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";
import { browserText } from "./browser-text.ts";

/** The member's active sessions. */
export function SessionsSection() {
  const queryClient = useQueryClient();
  const sessions = useQuery({
    queryKey: ["sessions"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/session/", { signal })),
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["sessions"] });
  const ending = useAction({
    mutationFn: (id: string) => api.delete("/session/{id}/", { id }),
    onSuccess: refresh,
  });
  const endingOthers = useAction({
    mutationFn: () => api.post("/session/revoke-others/"),
    onSuccess: refresh,
  });
  const active = sessions.data ?? [];
  return (
    <Section
      title={t("Active sessions")}
      action={
        active.length > 1 ? (
          <Button
            variant="default"
            loading={endingOthers.isPending}
            onClick={() => {
              endingOthers.mutate();
            }}
          >
            {t("End all other sessions")}
          </Button>
        ) : undefined
      }
    >
      <ul className="plain-list" aria-label={t("Active sessions")}>
        {active.map(({ id, attributes }) => (
          <li key={id}>
            <Group justify="space-between">
              <Stack gap={2}>
                <Group gap="sm">
                  <Text fw={600}>{browserText(attributes.user_agent)}</Text>
                  {attributes.is_current ? (
                    <StatusBadge tone="good" label={t("This session")} />
                  ) : null}
                </Group>
                <Text size="sm" c="dimmed">
                  {rich("{ip}, signed in {time}, last active {active}", {
                    ip: attributes.ip,
                    time: <TimeText value={attributes.created_at} />,
                    active: <TimeText value={attributes.last_used_at} />,
                  })}
                </Text>
              </Stack>
              {attributes.is_current ? null : (
                <Button
                  variant="default"
                  size="xs"
                  loading={ending.isPending && ending.variables === id}
                  disabled={ending.isPending}
                  aria-label={t("End session of {userAgent}, {ip}", {
                    userAgent: browserText(attributes.user_agent),
                    ip: attributes.ip,
                  })}
                  onClick={() => {
                    ending.mutate(id);
                  }}
                >
                  {t("End session")}
                </Button>
              )}
            </Group>
          </li>
        ))}
      </ul>
    </Section>
  );
}
