import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";

/** Whoever is signed in, for pages and for loaders. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ signal }) => (await api.get("/me/", { signal })).data.attributes,
  staleTime: 60_000,
});

export type Me = Awaited<ReturnType<NonNullable<typeof meQuery.queryFn>>>;
export type Role = "owner" | "admin" | "withdrawals" | "withdrawals_with_approval" | "read_only";

/** Whoever is signed in; null until that is known. */
export function useMe(): Me | null {
  return useQuery(meQuery).data ?? null;
}
