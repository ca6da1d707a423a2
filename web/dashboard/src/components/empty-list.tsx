import { Stack, Text, Title } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** What a list without rows says: what would be here, and how the first one comes to be. */
export function EmptyList({
  icon: Picture,
  title,
  children,
  action,
}: {
  readonly icon: Icon;
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <Stack align="center" gap="sm" maw={480} mx="auto" ta="center">
      <Picture size={40} stroke={1.25} color="var(--mantine-color-anchor)" aria-hidden="true" />
      <Title order={2}>{title}</Title>
      <Text c="dimmed">{children}</Text>
      {action}
    </Stack>
  );
}
