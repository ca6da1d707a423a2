import { Alert } from "@mantine/core";
import type { ReactNode } from "react";
import { PageHeader } from "../../components/page-header.tsx";
import { useRole } from "../../components/use-role.ts";

/** A page for Owners and Admins; others are told so. Nothing is shown before the role is known. */
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
        <Alert color="gray" title="Not for your role">
          Owners and Admins see this page.
        </Alert>
      )}
    </>
  );
}
