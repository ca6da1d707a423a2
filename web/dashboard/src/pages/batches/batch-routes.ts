import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const batchRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/batches",
    component: lazyPage(() => import("./batch-list-page.tsx"), "BatchListPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/batches/new",
    component: lazyPage(() => import("./new-batch-page.tsx"), "NewBatchPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/batches/$batchId",
    component: lazyPage(() => import("./batch-page.tsx"), "BatchPage"),
  }),
] as const;
