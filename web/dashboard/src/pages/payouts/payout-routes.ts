import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const payoutRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/payouts",
    component: lazyPage(() => import("./payout-list-page.tsx"), "PayoutListPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/payouts/new",
    component: lazyPage(() => import("./new-payout-page.tsx"), "NewPayoutPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/payouts/approvals",
    component: lazyPage(() => import("./approvals-page.tsx"), "ApprovalsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/payouts/$payoutId",
    component: lazyPage(() => import("./payout-page.tsx"), "PayoutPage"),
  }),
] as const;
