import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";

/** The signed-in member. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ signal }) => (await api.get("/me/", { signal })).data.attributes,
  staleTime: 60_000,
});

export type Me = Awaited<ReturnType<NonNullable<typeof meQuery.queryFn>>>;
export type Role = "owner" | "admin" | "withdrawals" | "withdrawals_with_approval" | "read_only";

/** The signed-in member; null until loaded. */
export function useMe(): Me | null {
  return useQuery(meQuery).data ?? null;
}
