import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.tsx";

export const currencyRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/currencies",
    component: lazyRouteComponent(() => import("./currency-list-page.tsx"), "CurrencyListPage"),
  }),
] as const;
