import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const pointOfSaleRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/point-of-sale",
    component: lazyPage(() => import("./point-of-sale-page.tsx"), "PointOfSalePage"),
  }),
] as const;
