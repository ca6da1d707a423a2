import { Button, Container, Text, Title } from "@mantine/core";
import { PageTitle } from "./page-title.tsx";

export function NotFoundPage() {
  return (
    <Container size="sm" py="xl">
      <PageTitle title="Not found" />
      <Title order={1}>There is no such page</Title>
      <Text mt="sm">The address may be mistyped, or what it named is not yours to see.</Text>
      <Button mt="lg" component="a" href="/ui/">
        To the overview
      </Button>
    </Container>
  );
}
