import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const signInRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/login",
    component: lazyPage(() => import("./sign-in-page.tsx"), "SignInPage"),
  }),
] as const;
