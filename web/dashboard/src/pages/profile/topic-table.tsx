import { Checkbox, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { t } from "../../language/t.ts";
import type { NotificationSettings, Topic } from "./notification-settings.ts";

const topics: readonly {
  readonly value: Topic;
  readonly label: string;
  readonly operators?: true;
}[] = [
  { value: "paid", label: t("A deposit is paid") },
  { value: "on_hold", label: t("A payment or payout is on hold, or a payout failed") },
  {
    value: "approval_waiting",
    label: t("A payout or a change of payout protection needs approval"),
  },
  { value: "webhook_failing", label: t("Webhook deliveries are failing") },
  { value: "payouts_stopped", label: t("Payouts are stopped or resumed") },
  {
    value: "node_down",
    label: t("A blockchain node stops responding, or responds again"),
    operators: true,
  },
];

type Member = "topics" | "push_topics";
type Chosen = Readonly<Record<Member, readonly Topic[]>>;

/** What the member is notified of, with a column for each way that the deployment has. */
export function TopicTable({
  settings,
  isOperator,
  save,
}: {
  readonly settings: NotificationSettings;
  readonly isOperator: boolean;
  readonly save: (chosen: Partial<Chosen>) => Promise<void>;
}) {
  const saving = useMutation({
    mutationFn: save,
    meta: { isShownByForm: true },
    // Quick clicks are saved one after the other, so the last one wins.
    scope: { id: "notification-topics" },
  });
  // A click shows in the same frame, and falls back if the service refuses.
  const [clicked, setClicked] = useState<Partial<Chosen>>({});
  const chosen: Chosen = { ...settings, ...clicked };
  const columns: readonly { readonly member: Member; readonly label: string }[] = [
    ...(settings.sends_email ? [{ member: "topics", label: t("Email") } as const] : []),
    ...(settings.push_key === null
      ? []
      : [{ member: "push_topics", label: t("Browser") } as const]),
  ];
  const toggle = (member: Member, topic: Topic): void => {
    const before = chosen[member];
    const after = before.includes(topic)
      ? before.filter((other) => other !== topic)
      : [...before, topic];
    setClicked((former) => ({ ...former, [member]: after }));
    saving.mutate(
      { [member]: after },
      {
        onSettled: () => {
          setClicked({});
        },
      },
    );
  };
  return (
    <Stack gap="xs">
      <table className="topic-table">
        <thead>
          <tr>
            <th scope="col">{t("Notify me when")}</th>
            {columns.map(({ member, label }) => (
              <th key={member} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {topics
            .filter(({ operators }) => operators !== true || isOperator)
            .map(({ value, label }) => (
              <tr key={value}>
                <th scope="row">{label}</th>
                {columns.map(({ member, label: way }) => (
                  <td key={member}>
                    <Checkbox
                      aria-label={t("{topic}: {channel}", { topic: label, channel: way })}
                      checked={chosen[member].includes(value)}
                      onChange={() => {
                        toggle(member, value);
                      }}
                    />
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
      <ErrorAlert error={saving.error} />
    </Stack>
  );
}
