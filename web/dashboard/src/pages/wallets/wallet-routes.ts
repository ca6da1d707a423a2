import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const walletRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/wallets",
    component: lazyPage(() => import("./wallet-list-page.tsx"), "WalletListPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/wallets/$walletId",
    component: lazyPage(() => import("./wallet-page.tsx"), "WalletPage"),
  }),
] as const;
