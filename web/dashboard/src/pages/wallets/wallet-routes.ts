import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.tsx";

export const walletRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/wallets",
    component: lazyRouteComponent(() => import("./wallet-list-page.tsx"), "WalletListPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/wallets/$walletId",
    component: lazyRouteComponent(() => import("./wallet-page.tsx"), "WalletPage"),
  }),
] as const;
