import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const depositRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/deposits",
    component: lazyPage(() => import("./deposit-list-page.tsx"), "DepositListPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/deposits/new",
    component: lazyPage(() => import("./new-deposit-page.tsx"), "NewDepositPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/deposits/$depositId",
    component: lazyPage(() => import("./deposit-page.tsx"), "DepositPage"),
  }),
] as const;
