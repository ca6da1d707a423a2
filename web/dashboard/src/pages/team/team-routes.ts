import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.tsx";

export const teamRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/team",
    component: lazyRouteComponent(() => import("./team-page.tsx"), "TeamPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/credentials",
    component: lazyRouteComponent(() => import("./credentials-page.tsx"), "CredentialsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/audit-log",
    component: lazyRouteComponent(() => import("./audit-log-page.tsx"), "AuditLogPage"),
  }),
] as const;
