import { useQuery } from "@tanstack/react-query";
import type { CheckoutState } from "../../../../../src/deposits/checkout/checkout-state.ts";

/**
 * The payment URI that the payment page of a deposit shows, which names the deposit's tag as the chain's wallets read it; null while it is
 * unknown. The page is asked on this origin, whatever the public one is.
 */
export function usePaymentUri(paymentPage: string, isWanted: boolean): string | null {
  const state = useQuery({
    queryKey: ["payment-page", paymentPage],
    queryFn: async ({ signal }) => {
      const { pathname } = new URL(paymentPage);
      const response = await fetch(`${pathname.replace(/\/$/, "")}/state/`, { signal });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return (await response.json()) as CheckoutState;
    },
    enabled: isWanted,
  });
  const uri = state.data?.payment?.uri ?? "";
  return uri === "" ? null : uri;
}
