import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const beneficiaryRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/beneficiaries",
    component: lazyPage(() => import("./beneficiary-list-page.tsx"), "BeneficiaryListPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/beneficiaries/$beneficiaryId",
    component: lazyPage(() => import("./beneficiary-page.tsx"), "BeneficiaryPage"),
  }),
] as const;
