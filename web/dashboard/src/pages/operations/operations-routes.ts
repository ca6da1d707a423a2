import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.tsx";

export const operationsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/operations",
    component: lazyRouteComponent(() => import("./operations-page.tsx"), "OperationsPage"),
  }),
] as const;
