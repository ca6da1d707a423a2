import { Stack, Text, Title } from "@mantine/core";
import type { Icon as TablerIcon } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** The empty state of a list: what belongs here and what to do next. */
export function EmptyList({
  icon: Icon,
  title,
  children,
  action,
}: {
  readonly icon: TablerIcon;
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <Stack align="center" gap="sm" maw={480} mx="auto" ta="center">
      <Icon size={40} stroke={1.25} color="var(--mantine-color-anchor)" aria-hidden="true" />
      <Title order={2}>{title}</Title>
      <Text c="dimmed">{children}</Text>
      {action}
    </Stack>
  );
}
