import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.tsx";

export const payoutRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/payouts",
    component: lazyRouteComponent(() => import("./payout-list-page.tsx"), "PayoutListPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/payouts/new",
    component: lazyRouteComponent(() => import("./new-payout-page.tsx"), "NewPayoutPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/payouts/approvals",
    component: lazyRouteComponent(() => import("./approvals-page.tsx"), "ApprovalsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/payouts/$payoutId",
    component: lazyRouteComponent(() => import("./payout-page.tsx"), "PayoutPage"),
  }),
] as const;
