import { Group, SegmentedControl, Skeleton, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CodeText } from "../../components/code-text.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { t } from "../../language/t.ts";
import { CallbackSubject } from "../callbacks/callback-subject.tsx";
import {
  type ReceiverAnswer,
  readDeliveries,
  receiverQuery,
  setReceiver,
} from "./simulator-api.ts";

const answers: readonly { readonly value: ReceiverAnswer; readonly label: string }[] = [
  { value: "ok", label: "200" },
  { value: "error", label: "500" },
  { value: "slow", label: t("Timeout") },
  { value: "closed", label: t("Connection closed") },
];

/** A test endpoint with a configurable response, and the callbacks that it received. */
export function ReceiverControls() {
  const queryClient = useQueryClient();
  const receiver = useQuery(receiverQuery);
  const deliveries = useQuery({
    queryKey: ["simulator", "deliveries"],
    queryFn: ({ signal }) => readDeliveries(signal),
    refetchInterval: 2_000,
  });
  const setting = useMutation({
    mutationFn: setReceiver,
    // Runs mutations in order, so that the last choice wins.
    scope: { id: "simulator-receiver" },
    // Returning the refetch settles the mutation after it, so that the control does not flip back.
    onSettled: () => queryClient.invalidateQueries({ queryKey: receiverQuery.queryKey }),
  });
  const [clicked, setClicked] = useState<ReceiverAnswer | null>(null);
  const answer = clicked ?? receiver.data?.attributes.answer;
  return (
    <Section title={t("Test endpoint")}>
      <Stack>
        <div>
          <Text size="sm" c="dimmed">
            {t("Use this as the callback URL:")}
          </Text>
          <CodeText value={receiver.data?.attributes.url ?? null} label="URL" />
        </div>
        {answer === undefined ? (
          <Skeleton height={36} />
        ) : (
          <SegmentedControl
            fullWidth
            aria-label={t("Endpoint response")}
            value={answer}
            onChange={(value) => {
              setClicked(value);
              setting.mutate(value, {
                onSettled: () => {
                  setClicked(null);
                },
              });
            }}
            data={[...answers]}
          />
        )}
        <MiniTable
          name="Received webhooks"
          rows={deliveries.data?.slice(0, 8)}
          empty={t("No webhooks received yet.")}
          columns={[
            {
              header: "Object",
              cell: ({ attributes: { object_type: type, object_id: id } }) =>
                type === null || id === null ? (
                  t("Unknown")
                ) : (
                  <CallbackSubject attributes={{ object_type: type, object_id: id }} />
                ),
            },
            {
              header: "Signatures",
              cell: ({ attributes }) => (
                <StatusBadge
                  tone={attributes.is_genuine ? "good" : "bad"}
                  label={attributes.is_genuine ? t("Valid") : (attributes.fault ?? t("Invalid"))}
                />
              ),
            },
            {
              header: "Response",
              cell: ({ attributes }) =>
                answers.find(({ value }) => value === attributes.answer)?.label,
            },
            {
              header: "Received",
              cell: ({ attributes }) => <TimeText value={attributes.created_at} withSeconds />,
            },
          ]}
        />
        <Group>
          <TextLink to="/webhooks/deliveries" size="sm">
            {t("View all webhooks")}
          </TextLink>
        </Group>
      </Stack>
    </Section>
  );
}
