import { Alert } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../language/t.ts";
import { PageHeader } from "./page-header.tsx";
import { useRole } from "./use-role.ts";

/**
 * Shows a page to Owners and Admins (with `ofAllWallets`, to those with access to all wallets), and an access notice to others; only the
 * title until the role is known.
 */
export function AdministratorsOnly({
  title,
  ofAllWallets = false,
  children,
}: {
  readonly title: string;
  readonly ofAllWallets?: boolean;
  readonly children: ReactNode;
}) {
  const { role, mayAdminister, mayAdministerAccount } = useRole();
  if (ofAllWallets ? mayAdministerAccount : mayAdminister) return children;
  return (
    <>
      <PageHeader title={title} />
      {role === null ? null : (
        <Alert color="gray" title={t("Access restricted")}>
          {mayAdminister
            ? t("Only Owners and Admins with access to all wallets can view this page.")
            : t("Only Owners and Admins can view this page.")}
        </Alert>
      )}
    </>
  );
}
