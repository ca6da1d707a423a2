import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const unattributedRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/unattributed",
    component: lazyPage(() => import("./unattributed-list-page.tsx"), "UnattributedListPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/unattributed/$paymentId",
    component: lazyPage(() => import("./unattributed-page.tsx"), "UnattributedPage"),
  }),
] as const;
