import { Card, Center, Group, Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { ColorSchemeMenu } from "../../shell/color-scheme-menu.tsx";
import { LanguageMenu } from "../../shell/language-menu.tsx";
import { Logo } from "../../shell/logo.tsx";
import { PageTitle } from "../../shell/page-title.tsx";

/** A page for people who are not signed in: one card under a heading. */
export function PublicPage({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <Center component="main" mih="100vh" p="md">
      <PageTitle title={title} />
      <Stack w="100%" maw={440}>
        <Group justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Logo size={36} />
            <Title order={1}>{title}</Title>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <LanguageMenu />
            <ColorSchemeMenu />
          </Group>
        </Group>
        <Card>
          <Stack>{children}</Stack>
        </Card>
      </Stack>
    </Center>
  );
}

/** The token of the link in an email. It stands behind the #, which browsers send to no server. */
export function linkToken(): string {
  return decodeURIComponent(location.hash.slice(1));
}
