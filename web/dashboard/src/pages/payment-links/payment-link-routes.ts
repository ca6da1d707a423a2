import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const paymentLinkRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/payment-links",
    component: lazyPage(() => import("./payment-link-list-page.tsx"), "PaymentLinkListPage"),
  }),
] as const;
