import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/",
    component: lazyPage(() => import("./overview-page.tsx"), "OverviewPage"),
  }),
] as const;
