import { queryOptions, useQuery } from "@tanstack/react-query";
import type { CheckoutState } from "../../../../../src/deposits/checkout/checkout-state.ts";

/**
 * The payment URI that the payment page of a deposit shows, which names the deposit's tag as the chain's wallets read it; null if there is
 * none or it cannot be read; undefined while it is unknown.
 */
export function usePaymentUri(paymentPage: string, isWanted: boolean): string | null | undefined {
  const { data, isError } = useQuery({ ...paymentUriQuery(paymentPage), enabled: isWanted });
  return isError ? null : data;
}

type KnownState = { readonly payment: Pick<NonNullable<CheckoutState["payment"]>, "uri"> | null };

/** Read once, even if that fails: the number of requests to public pages is limited. */
export function paymentUriQuery(
  paymentPage: string,
  read: (paymentPage: string, signal: AbortSignal) => Promise<KnownState> = readState,
) {
  return queryOptions({
    queryKey: ["payment-page", paymentPage],
    queryFn: async ({ signal }) => {
      const { payment } = await read(paymentPage, signal);
      return payment === null || payment.uri === "" ? null : payment.uri;
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
  });
}

/** Asked on this origin, whatever the public one is. */
async function readState(paymentPage: string, signal: AbortSignal): Promise<CheckoutState> {
  const { pathname } = new URL(paymentPage);
  const response = await fetch(`${pathname.replace(/\/$/, "")}/state/`, { signal });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.json()) as CheckoutState;
}
