import { Card, Skeleton, Stack, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { describeProblem } from "../api/problem.ts";
import { rich } from "../language/rich.tsx";
import { t } from "../language/t.ts";
import { PageTitle } from "../shell/page-title.tsx";
import { PageHeader } from "./page-header.tsx";

/** The page of one object: a skeleton while it loads, the error if it fails, and `children` once it is there. */
export function QueryView<Data>({
  query,
  back,
  children,
}: {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error">;
  readonly back: { readonly to: string; readonly label: string };
  readonly children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) {
    return (
      <Stack aria-busy="true">
        <PageTitle title={back.label} />
        <Skeleton height={32} width="40%" />
        <Skeleton height={200} />
        <span className="visually-hidden" role="status">
          {t("Loading…")}
        </span>
      </Stack>
    );
  }
  const { title, detail, requestId } = describeProblem(query.error);
  return (
    <>
      <PageHeader title={title} back={back} />
      <Card role="alert">
        <Text>{detail}</Text>
        {requestId === null ? null : (
          <Text mt="xs" c="dimmed" size="sm">
            {rich("Request ID {id}", { id: <span className="code-text">{requestId}</span> })}
          </Text>
        )}
      </Card>
    </>
  );
}
