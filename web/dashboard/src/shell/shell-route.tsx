import { createRoute, redirect } from "@tanstack/react-router";
import { session } from "../api/api.ts";
import { rootRoute } from "./root-route.tsx";
import { Shell } from "./shell.tsx";

/** The parent of every page that requires a session. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ location }) => {
    if ((await session.getToken()) !== null) return;
    const next = location.href === "/" ? {} : { next: location.href };
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router redirects by a thrown value
    throw redirect({ to: "/login", search: next });
  },
});
