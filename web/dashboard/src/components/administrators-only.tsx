import { Alert } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../language/t.ts";
import { PageHeader } from "./page-header.tsx";
import { useRole } from "./use-role.ts";

/** Shows a page to Owners and Admins, and an access notice to other roles; only the title until the role is known. */
export function AdministratorsOnly({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  const { role, mayAdminister } = useRole();
  if (mayAdminister) return children;
  return (
    <>
      <PageHeader title={title} />
      {role === null ? null : (
        <Alert color="gray" title={t("Access restricted")}>
          {t("Only Owners and Admins can view this page.")}
        </Alert>
      )}
    </>
  );
}
