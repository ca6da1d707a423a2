import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageHeader } from "../../components/page-header.tsx";
import { t } from "../../language/t.ts";

/** The heading of both webhook pages, with the links between them. */
export function WebhookHeader({
  description,
  actions,
}: {
  readonly description: string;
  readonly actions: ReactNode;
}) {
  return (
    <>
      <PageHeader title={t("Webhooks")} description={description} actions={actions} />
      <nav className="page-tabs" aria-label={t("Webhooks")}>
        <Link to="/webhooks" activeOptions={{ exact: true, includeSearch: false }}>
          {t("Endpoints")}
        </Link>
        <Link to="/webhooks/deliveries" activeOptions={{ includeSearch: false }}>
          {t("Deliveries")}
        </Link>
      </nav>
    </>
  );
}
