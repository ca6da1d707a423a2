import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.tsx";

export const beneficiaryRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/beneficiaries",
    component: lazyRouteComponent(
      () => import("./beneficiary-list-page.tsx"),
      "BeneficiaryListPage",
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/beneficiaries/$beneficiaryId",
    component: lazyRouteComponent(() => import("./beneficiary-page.tsx"), "BeneficiaryPage"),
  }),
] as const;
