import { useQuery } from "@tanstack/react-query";
import type { PayoutCalculation } from "../../../../../client/src/api-types.gen.ts";
import { SluiceError } from "../../../../../client/src/sluice-error.ts";
import { api } from "../../api/api.ts";
import { isPositive } from "../../components/decimals.ts";
import type { PayoutValues } from "./payout-order.ts";

/** A quote is as good as the chain's newest block: after that long it is asked anew. */
const quoteSeconds = 15;

export type Quote = {
  /** Null: nothing was quoted yet, or it stays inside the service without asking. */
  readonly calculation: PayoutCalculation["attributes"] | null;
  /** Of the address or the amount, by the form's fields. */
  readonly faults: Readonly<Partial<Record<"address" | "amount", string>>>;
  /** What belongs to no field: no fee is to be had now, say. */
  readonly error: Error | null;
  readonly isQuoting: boolean;
  readonly refresh: () => void;
};

/** Asks what a payout would cost now, and again while it is looked at. */
export function useQuote(
  { wallet, currency }: Pick<PayoutValues, "wallet" | "currency">,
  address: string | null,
  amount: string,
  isAddressPlausible: boolean,
): Quote {
  const isAsked =
    wallet !== "" &&
    currency !== "" &&
    address !== null &&
    isAddressPlausible &&
    isPositive(amount);
  const quoted = useQuery({
    queryKey: ["quote", wallet, currency, address, amount],
    queryFn: async ({ signal }) =>
      (
        await api.post("/payout/calculate/", {
          attributes: { amount, to_address: address ?? "" },
          relationships: {
            wallet: { type: "wallet", id: wallet },
            currency: { type: "currency", id: currency },
          },
          signal,
        })
      ).data.attributes,
    enabled: isAsked,
    refetchInterval: quoteSeconds * 1_000,
    staleTime: quoteSeconds * 1_000,
    // While the amount is typed the fee of the last one stands: it depends on the amount a little, or not at all.
    placeholderData: (previous, query) =>
      query?.queryKey[2] === currency && query.queryKey[3] === address ? previous : undefined,
  });
  const { faults, rest } = faultsOf(quoted.error);
  return {
    calculation: isAsked ? (quoted.data ?? null) : null,
    faults,
    error: rest,
    isQuoting: isAsked && quoted.isFetching,
    refresh: () => void quoted.refetch(),
  };
}

function faultsOf(error: Error | null): { faults: Quote["faults"]; rest: Error | null } {
  if (!(error instanceof SluiceError)) return { faults: {}, rest: error };
  const at = (pointer: string) =>
    error.errors.find(({ source }) => source?.pointer === pointer)?.detail;
  const address = at("/data/attributes/to_address");
  const amount = at("/data/attributes/amount");
  const faults = {
    ...(address === undefined ? {} : { address }),
    ...(amount === undefined ? {} : { amount }),
  };
  return { faults, rest: Object.keys(faults).length === 0 ? error : null };
}
