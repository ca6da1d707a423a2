import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const simulatorRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/simulator",
    component: lazyPage(() => import("./simulator-page.tsx"), "SimulatorPage"),
  }),
] as const;
