import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.tsx";

export const depositRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/deposits",
    component: lazyRouteComponent(() => import("./deposit-list-page.tsx"), "DepositListPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/deposits/new",
    component: lazyRouteComponent(() => import("./new-deposit-page.tsx"), "NewDepositPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/deposits/$depositId",
    component: lazyRouteComponent(() => import("./deposit-page.tsx"), "DepositPage"),
  }),
] as const;
