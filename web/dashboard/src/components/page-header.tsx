import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageTitle } from "../shell/page-title.tsx";

/**
 * A page's heading (also the document's title), description, link back to the list, status badge and actions.
 */
export function PageHeader({
  title,
  description,
  back,
  badge,
  actions,
}: {
  readonly title: string;
  readonly description?: ReactNode;
  readonly back?: { readonly to: string; readonly label: string };
  readonly badge?: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <Group justify="space-between" align="flex-end" mb="lg" gap="md">
      <PageTitle title={title} />
      <Stack gap={4}>
        {back === undefined ? null : (
          <Anchor component={Link} to={back.to} size="sm">
            ← {back.label}
          </Anchor>
        )}
        <Group gap="sm">
          <Title order={1}>{title}</Title>
          {badge}
        </Group>
        {description === undefined ? null : (
          <Text c="dimmed" maw={680}>
            {description}
          </Text>
        )}
      </Stack>
      {actions === undefined ? null : <Group gap="sm">{actions}</Group>}
    </Group>
  );
}
