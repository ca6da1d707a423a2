import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

const component = lazyPage(() => import("./callback-list-page.tsx"), "CallbackListPage");

/** A callback opens in a drawer beside the list, and still has its own URL. */
export const callbackRoutes = [
  createRoute({ getParentRoute: () => shellRoute, path: "/callbacks", component }),
  createRoute({ getParentRoute: () => shellRoute, path: "/callbacks/$callbackId", component }),
] as const;
