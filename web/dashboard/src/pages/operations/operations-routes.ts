import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const operationsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/operations",
    component: lazyPage(() => import("./operations-page.tsx"), "OperationsPage"),
  }),
] as const;
