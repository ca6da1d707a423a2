import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const currencyRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/currencies",
    component: lazyPage(() => import("./currency-list-page.tsx"), "CurrencyListPage"),
  }),
] as const;
