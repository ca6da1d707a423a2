import { Alert, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { TimeText } from "../../components/time-text.tsx";

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
    <Alert color="amber" mb="md" title="Some endpoints are failing">
      <Stack gap="xs">
        {failing.map(({ id, attributes }) => (
          <Text key={id} size="sm">
            <span className="code-text">{attributes.host}</span> failed{" "}
            {attributes.consecutive_failures} times in a row since{" "}
            <TimeText value={attributes.failing_since} />.{" "}
            {attributes.state === "stopped" ? (
              <>
                Deliveries are paused until <TimeText value={attributes.open_until} withSeconds />
              </>
            ) : (
              "A delivery is being tried now"
            )}
            ; {attributes.waiting} pending. Manual resends are sent immediately.
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}
