import { createRoute, redirect } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazy-page.ts";
import { shellRoute } from "../../shell/shell-route.tsx";

const component = lazyPage(() => import("./callback-list-page.tsx"), "CallbackListPage");

/** A callback opens in a drawer beside the list, and still has its own URL. Links to the former URLs, as in old emails, lead to the new ones. */
export const callbackRoutes = [
  createRoute({ getParentRoute: () => shellRoute, path: "/webhooks/deliveries", component }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/webhooks/deliveries/$callbackId",
    component,
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/callbacks",
    beforeLoad: () => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router redirects by a thrown value
      throw redirect({ to: "/webhooks/deliveries", search: true, replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/callbacks/$callbackId",
    beforeLoad: ({ params }) => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router redirects by a thrown value
      throw redirect({
        to: "/webhooks/deliveries/$callbackId",
        params,
        search: true,
        replace: true,
      });
    },
  }),
] as const;
