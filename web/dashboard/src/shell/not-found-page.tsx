import { Button, Container, Text, Title } from "@mantine/core";
import { t } from "../language/t.ts";
import { PageTitle } from "./page-title.tsx";

export function NotFoundPage() {
  return (
    <Container size="sm" py="xl">
      <PageTitle title={t("Page not found")} />
      <Title order={1}>{t("Page not found")}</Title>
      <Text mt="sm">{t("Check the address. You may not have access to this page.")}</Text>
      <Button mt="lg" component="a" href="/ui/">
        {t("Go to overview")}
      </Button>
    </Container>
  );
}
