import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const statementRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/statements",
    component: lazyPage(() => import("./statement-list-page.tsx"), "StatementListPage"),
  }),
] as const;
