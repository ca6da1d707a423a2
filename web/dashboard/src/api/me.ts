import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";

/** The signed-in member. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ signal }) => {
    const { data } = await api.get("/me/", { signal });
    return { ...data.attributes, member_id: data.id };
  },
  staleTime: 60_000,
});

export type Me = Awaited<ReturnType<NonNullable<typeof meQuery.queryFn>>>;
export type Role = "owner" | "admin" | "withdrawals" | "withdrawals_with_approval" | "read_only";

/** The signed-in member; null until loaded. */
export function useMe(): Me | null {
  return useQuery(meQuery).data ?? null;
}
