import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CodeText } from "../../components/code-text.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TimeText } from "../../components/time-text.tsx";
import {
  type ReceiverAnswer,
  readDeliveries,
  receiverQuery,
  setReceiver,
} from "./simulator-api.ts";

const answers: readonly { readonly value: ReceiverAnswer; readonly label: string }[] = [
  { value: "ok", label: "200" },
  { value: "error", label: "500" },
  { value: "slow", label: "Too slow" },
  { value: "closed", label: "Hangs up" },
];

/** A receiver of callbacks that answers as it is told to, and shows what it got. */
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
    // One after the other: the last that was chosen is what holds.
    scope: { id: "simulator-receiver" },
    // Shown as chosen until it was read anew, not meanwhile as it was before.
    onSettled: () => queryClient.invalidateQueries({ queryKey: receiverQuery.queryKey }),
  });
  const answer = setting.isPending ? setting.variables : receiver.data?.attributes.answer;
  return (
    <Section title="Your shop's receiver">
      <Stack>
        <div>
          <Text size="sm" c="dimmed">
            Give this as callback_url:
          </Text>
          <CodeText value={receiver.data?.attributes.url ?? null} label="the receiver's URL" />
        </div>
        <SegmentedControl
          fullWidth
          aria-label="How the receiver answers"
          value={answer ?? "ok"}
          onChange={(value) => {
            setting.mutate(value);
          }}
          data={[...answers]}
        />
        <MiniTable
          name="Callbacks that it got"
          rows={deliveries.data?.slice(0, 8)}
          empty="No callback came yet."
          columns={[
            {
              header: "About",
              cell: ({ attributes }) =>
                attributes.object_type === "deposit" && attributes.object_id !== null ? (
                  <TextLink to="/deposits/$depositId" params={{ depositId: attributes.object_id }}>
                    Deposit {attributes.object_id}
                  </TextLink>
                ) : (
                  `${attributes.object_type ?? "?"} ${attributes.object_id ?? ""}`
                ),
            },
            {
              header: "Signatures",
              cell: ({ attributes }) => (
                <StatusBadge
                  tone={attributes.is_genuine ? "good" : "bad"}
                  label={attributes.is_genuine ? "Genuine" : (attributes.fault ?? "Forged")}
                />
              ),
            },
            {
              header: "Answered",
              cell: ({ attributes }) =>
                answers.find(({ value }) => value === attributes.answer)?.label,
            },
            {
              header: "When",
              cell: ({ attributes }) => <TimeText value={attributes.created_at} withSeconds />,
            },
          ]}
        />
        <Group>
          <TextLink to="/callbacks" size="sm">
            All callbacks and their attempts
          </TextLink>
        </Group>
      </Stack>
    </Section>
  );
}
