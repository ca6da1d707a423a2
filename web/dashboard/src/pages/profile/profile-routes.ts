import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.tsx";

export const profileRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/profile",
    component: lazyRouteComponent(() => import("./profile-page.tsx"), "ProfilePage"),
  }),
] as const;
