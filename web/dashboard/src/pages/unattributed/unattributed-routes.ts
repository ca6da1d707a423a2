import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.tsx";

export const unattributedRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/unattributed",
    component: lazyRouteComponent(
      () => import("./unattributed-list-page.tsx"),
      "UnattributedListPage",
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/unattributed/$paymentId",
    component: lazyRouteComponent(() => import("./unattributed-page.tsx"), "UnattributedPage"),
  }),
] as const;
