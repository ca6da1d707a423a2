import { createRoute, redirect } from "@tanstack/react-router";
import { session } from "../api/api.ts";
import { rootRoute } from "./root-route.tsx";
import { Shell } from "./shell.tsx";

/** The parent of every page that only somebody who is signed in may see. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ location }) => {
    if ((await session.ensure()) !== null) return;
    const next = location.href === "/" ? {} : { next: location.href };
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how the router is told to go elsewhere
    throw redirect({ to: "/login", search: next });
  },
});
