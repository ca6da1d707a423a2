import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.tsx";

const component = lazyRouteComponent(() => import("./callback-list-page.tsx"), "CallbackListPage");

/** A callback is looked at beside the list that it stands in; its address can be sent to somebody all the same. */
export const callbackRoutes = [
  createRoute({ getParentRoute: () => shellRoute, path: "/callbacks", component }),
  createRoute({ getParentRoute: () => shellRoute, path: "/callbacks/$callbackId", component }),
] as const;
