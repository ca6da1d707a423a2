import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";

/** The address that a payer left on the payment page for money to go back to; null: none; undefined while it is read. */
export function usePayerAddress(depositId: string): string | null | undefined {
  const payer = useQuery({
    queryKey: ["deposit", depositId, "payer"],
    queryFn: async ({ signal }) =>
      (await api.get("/deposit/{id}/payer/", { id: depositId, signal })).data,
  });
  if (payer.isPending) return undefined;
  return payer.data?.attributes.refund_address ?? null;
}
