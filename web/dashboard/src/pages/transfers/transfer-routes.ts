import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const transferRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/transfers",
    component: lazyPage(() => import("./transfer-list-page.tsx"), "TransferListPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/transfers/$transferId",
    component: lazyPage(() => import("./transfer-page.tsx"), "TransferPage"),
  }),
] as const;
