import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.tsx";

export const transferRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/transfers",
    component: lazyRouteComponent(() => import("./transfer-list-page.tsx"), "TransferListPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/transfers/$transferId",
    component: lazyRouteComponent(() => import("./transfer-page.tsx"), "TransferPage"),
  }),
] as const;
