import { Alert } from "@mantine/core";
import type { ReactNode } from "react";
import { useMe } from "../api/me.ts";
import { t } from "../language/t.ts";
import { PageHeader } from "./page-header.tsx";

/** Shows a page to operators of the deployment, and an access notice to others; only the title until the member is known. */
export function OperatorsOnly({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  const me = useMe();
  if (me?.operates_deployment === true) return children;
  return (
    <>
      <PageHeader title={title} />
      {me === null ? null : (
        <Alert color="gray" title={t("Access restricted")}>
          {t("Only operators of this deployment can view this page.")}
        </Alert>
      )}
    </>
  );
}
