import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";

/** The address that a payer left on the payment page for money to go back to; null: none, or not known yet. */
export function usePayerAddress(depositId: string): string | null {
  const payer = useQuery({
    queryKey: ["deposit", depositId, "payer"],
    queryFn: async ({ signal }) =>
      (await api.get("/deposit/{id}/payer/", { id: depositId, signal })).data,
  });
  return payer.data?.attributes.refund_address ?? null;
}
