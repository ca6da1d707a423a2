import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const signInRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/login",
    component: lazyPage(() => import("./sign-in-page.tsx"), "SignInPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/verify-email",
    component: lazyPage(() => import("./verify-email-page.tsx"), "VerifyEmailPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/unsubscribe",
    component: lazyPage(() => import("./unsubscribe-page.tsx"), "UnsubscribePage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/forgot-password",
    component: lazyPage(() => import("./forgot-password-page.tsx"), "ForgotPasswordPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/reset-password",
    component: lazyPage(() => import("./reset-password-page.tsx"), "ResetPasswordPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/accept-invitation",
    component: lazyPage(() => import("./accept-invitation-page.tsx"), "AcceptInvitationPage"),
  }),
] as const;
