import { useQuery } from "@tanstack/react-query";
import type { PayoutCalculation } from "../../../../../client/src/api-types.gen.ts";
import { SluiceError } from "../../../../../client/src/sluice-error.ts";
import { api } from "../../api/api.ts";
import { refreshEvery } from "../../api/refresh-every.ts";
import { isPositive } from "../../components/decimals.ts";
import type { PayoutValues } from "./payout-request.ts";

/** Fees change with new blocks, so quotes are refreshed. */
const quoteSeconds = 15;

export type Quote = {
  /** Null without a quote, and for internal payouts, which need none. */
  readonly calculation: PayoutCalculation["attributes"] | null;
  /** The amount that `calculation` is for; null while it is the quote of an earlier amount. */
  readonly amount: string | null;
  /** Errors by form field. */
  readonly errors: Readonly<Partial<Record<"address" | "amount" | "tag", string>>>;
  /** An error without a field, such as an unavailable fee. */
  readonly error: Error | null;
  readonly isQuoting: boolean;
  readonly refresh: () => void;
};

/** The receiver of a quoted payout; without tag members where there is no tag. */
export type QuotedReceiver = {
  readonly address: string | null;
  readonly tag?: string;
  readonly tag_type?: string;
};

/** The current cost of a payout, refreshed while it is shown. */
export function useQuote(
  { wallet, currency }: Pick<PayoutValues, "wallet" | "currency">,
  { address, ...tag }: QuotedReceiver,
  amount: string,
  isAddressPlausible: boolean,
): Quote {
  const isEnabled =
    wallet !== "" &&
    currency !== "" &&
    address !== null &&
    isAddressPlausible &&
    isPositive(amount);
  const quoted = useQuery({
    queryKey: ["quote", wallet, currency, address, amount, tag],
    queryFn: async ({ signal }) =>
      (
        await api.post("/payout/calculate/", {
          attributes: { amount, to_address: address ?? "", ...tag },
          relationships: {
            wallet: { type: "wallet", id: wallet },
            currency: { type: "currency", id: currency },
          },
          // Shows at once why there is no fee: the query itself tries again.
          retries: 0,
          signal,
        })
      ).data.attributes,
    enabled: isEnabled,
    refetchInterval: refreshEvery(quoteSeconds * 1_000),
    staleTime: quoteSeconds * 1_000,
    // While the amount is being typed the previous fee stays visible: it hardly depends on the amount.
    placeholderData: (previous, query) =>
      query?.queryKey[2] === currency && query.queryKey[3] === address ? previous : undefined,
  });
  const { errors, rest } = errorsOf(quoted.error);
  return {
    calculation: isEnabled ? (quoted.data ?? null) : null,
    amount: quoted.isPlaceholderData ? null : amount,
    errors,
    error: rest,
    isQuoting: isEnabled && quoted.isFetching,
    refresh: () => void quoted.refetch(),
  };
}

function errorsOf(error: Error | null): { errors: Quote["errors"]; rest: Error | null } {
  if (!(error instanceof SluiceError)) return { errors: {}, rest: error };
  const at = (pointer: string) =>
    error.errors.find(({ source }) => source?.pointer === pointer)?.detail;
  const address = at("/data/attributes/to_address");
  const amount = at("/data/attributes/amount");
  const tag = at("/data/attributes/tag") ?? at("/data/attributes/tag_type");
  const errors = {
    ...(tag === undefined ? {} : { tag }),
    ...(address === undefined ? {} : { address }),
    ...(amount === undefined ? {} : { amount }),
  };
  return { errors, rest: Object.keys(errors).length === 0 ? error : null };
}
