import { Button, Container, Group, Text, Title } from "@mantine/core";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { describeProblem } from "../api/problem.ts";
import { rich } from "../language/rich.tsx";
import { t } from "../language/t.ts";
import { PageTitle } from "./page-title.tsx";

/** Shown when a page fails to render or load. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { title, detail, requestId } = describeProblem(error);
  const tryAgain = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <Container size="sm" py="xl" role="alert">
      <PageTitle title={title} />
      <Title order={1}>{title}</Title>
      <Text mt="sm">{detail}</Text>
      {requestId === null ? null : (
        <Text mt="xs" c="dimmed" size="sm">
          {rich("Request ID {id}", { id: <span className="code-text">{requestId}</span> })}
        </Text>
      )}
      <Group mt="lg">
        <Button onClick={tryAgain}>{t("Try again")}</Button>
        <Button variant="default" component="a" href="/ui/">
          {t("Go to overview")}
        </Button>
      </Group>
    </Container>
  );
}
