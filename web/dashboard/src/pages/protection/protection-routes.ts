import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const protectionRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/protection",
    component: lazyPage(() => import("./protection-page.tsx"), "ProtectionPage"),
  }),
] as const;
