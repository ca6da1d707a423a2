import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

export const profileRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/profile",
    component: lazyPage(() => import("./profile-page.tsx"), "ProfilePage"),
  }),
] as const;
