import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/webhooks",
    component: lazyPage(() => import("./endpoint-list-page.tsx"), "EndpointListPage"),
  }),
] as const;
