import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";

/** What accepting a deposit's funds on hold credits, and what was refunded and kept; read every five seconds. */
export function useResolution(depositId: string) {
  return useQuery({
    queryKey: ["deposit", depositId, "resolution"],
    queryFn: async ({ signal }) =>
      (await api.get("/deposit/{id}/resolution/", { id: depositId, signal })).data,
    refetchInterval: 5_000,
  });
}
