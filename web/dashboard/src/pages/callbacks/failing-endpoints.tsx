import { Alert, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { TimeText } from "../../components/time-text.tsx";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";

/** The endpoints whose deliveries are paused after repeated failures. */
export function FailingEndpoints() {
  const endpoints = useQuery({
    queryKey: ["callback-receivers"],
    queryFn: async ({ signal }) => {
      const filter = { is_failing: "true" } as const;
      return (await api.list("/callback-receiver/", { filter, page: { size: 100 }, signal })).data;
    },
    refetchInterval: 10_000,
  });
  const failing = (endpoints.data ?? []).filter(({ attributes }) => attributes.state !== "working");
  if (failing.length === 0) return null;
  return (
    <Alert color="amber" mb="md" title={t("Some endpoints are failing")}>
      <Stack gap="xs">
        {failing.map(({ id, attributes }) => (
          <Text key={id} size="sm">
            {rich("{host} failed {count} times in a row since {time}.", {
              host: <span className="code-text">{attributes.host}</span>,
              count: attributes.consecutive_failures,
              time: <TimeText value={attributes.failing_since} />,
            })}{" "}
            {attributes.state === "stopped"
              ? rich("Deliveries are paused until {time}; {waiting} pending.", {
                  time: <TimeText value={attributes.open_until} withSeconds />,
                  waiting: attributes.waiting,
                })
              : t("A delivery is being tried now; {waiting} pending.", {
                  waiting: attributes.waiting,
                })}{" "}
            {t("Manual resends are sent immediately.")}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}
