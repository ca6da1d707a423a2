import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const teamRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/team",
    component: lazyPage(() => import("./team-page.tsx"), "TeamPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/credentials",
    component: lazyPage(() => import("./credentials-page.tsx"), "CredentialsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/audit-log",
    component: lazyPage(() => import("./audit-log-page.tsx"), "AuditLogPage"),
  }),
] as const;
