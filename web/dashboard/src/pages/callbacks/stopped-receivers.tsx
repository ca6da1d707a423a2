import { Alert, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { TimeText } from "../../components/time-text.tsx";

/** The receivers that are given a pause, and until when; nothing while none is. */
export function StoppedReceivers() {
  const receivers = useQuery({
    queryKey: ["callback-receivers"],
    queryFn: async ({ signal }) => {
      const filter = { is_failing: "true" } as const;
      return (await api.list("/callback-receiver/", { filter, page: { size: 100 }, signal })).data;
    },
    refetchInterval: 10_000,
  });
  const stopped = (receivers.data ?? []).filter(({ attributes }) => attributes.state !== "working");
  if (stopped.length === 0) return null;
  return (
    <Alert color="amber" mb="md" title="Some receivers do not answer">
      <Stack gap="xs">
        {stopped.map(({ id, attributes }) => (
          <Text key={id} size="sm">
            <span className="code-text">{attributes.host}</span> failed{" "}
            {attributes.consecutive_failures} times in a row since{" "}
            <TimeText value={attributes.failing_since} />.{" "}
            {attributes.state === "stopped" ? (
              <>
                It is tried again at <TimeText value={attributes.open_until} withSeconds />
              </>
            ) : (
              "It is being tried again"
            )}
            ; {attributes.waiting} wait. What you send again by hand goes out at once.
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}
