import { createRootRoute, Outlet } from "@tanstack/react-router";
import { ErrorPage } from "./error-page.tsx";
import { NotFoundPage } from "./not-found-page.tsx";

/** A flat query string that uses the API's names: `?filter[status]=2&sort=-created_at`. */
export type PageSearch = Readonly<Record<string, string>>;

export const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
  validateSearch: (search: Record<string, unknown>): PageSearch =>
    Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)])),
});
