import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const storeRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/store",
    component: lazyPage(() => import("./store-page.tsx"), "StorePage"),
  }),
] as const;
