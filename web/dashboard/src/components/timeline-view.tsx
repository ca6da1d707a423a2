import { Text, Timeline } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../language/t.ts";
import type { Tone } from "./status-badge.tsx";
import { TimeText } from "./time-text.tsx";

export type TimelineItem = {
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly tone?: Tone;
  readonly icon?: ReactNode;
  /** Amounts, links, responses. */
  readonly detail?: ReactNode;
};

const colors = {
  good: "lagoon",
  waiting: "blue",
  attention: "amber",
  bad: "red",
  neutral: "gray",
} as const satisfies Record<Tone, string>;

/** Events in the given order, as a list for screen readers. */
export function TimelineView({ items }: { readonly items: readonly TimelineItem[] }) {
  if (items.length === 0) return <Text c="dimmed">{t("No activity yet.")}</Text>;
  return (
    <Timeline
      bulletSize={items.some(({ icon }) => icon !== undefined) ? 26 : 14}
      lineWidth={2}
      active={items.length}
      color="gray"
      role="list"
    >
      {items.map(({ id, at, title, tone = "neutral", icon, detail }) => (
        <Timeline.Item key={id} title={title} bullet={icon} color={colors[tone]} role="listitem">
          <Text size="sm" c="dimmed">
            <TimeText value={at} withSeconds />
          </Text>
          {detail === undefined ? null : <Text component="div">{detail}</Text>}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
