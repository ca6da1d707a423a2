import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.tsx";

export const simulatorRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/simulator",
    component: lazyRouteComponent(() => import("./simulator-page.tsx"), "SimulatorPage"),
  }),
] as const;
