import { Button, Container, Text, Title } from "@mantine/core";
import { PageTitle } from "./page-title.tsx";

export function NotFoundPage() {
  return (
    <Container size="sm" py="xl">
      <PageTitle title="Page not found" />
      <Title order={1}>Page not found</Title>
      <Text mt="sm">Check the address. You may not have access to this page.</Text>
      <Button mt="lg" component="a" href="/ui/">
        Go to overview
      </Button>
    </Container>
  );
}
