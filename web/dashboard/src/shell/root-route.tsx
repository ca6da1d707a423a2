import { createRootRoute, Outlet } from "@tanstack/react-router";
import { ErrorPage } from "./error-page.tsx";
import { NotFoundPage } from "./not-found-page.tsx";

/** A page's query, flat: `?filter[status]=2&sort=-created_at`, by the names of the interface. */
export type PageSearch = Readonly<Record<string, string>>;

export const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
  validateSearch: (search: Record<string, unknown>): PageSearch =>
    Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)])),
});
