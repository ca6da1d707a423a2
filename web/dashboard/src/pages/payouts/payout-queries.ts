import { useDebouncedValue } from "@mantine/hooks";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Beneficiary } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { useCurrencies } from "../../api/lookups.ts";
import { isPositive } from "../../components/decimals.ts";
import type { TravelRuleThreshold } from "../../components/travel-rule-reason.tsx";
import type { AddressMasks } from "./address-masks.ts";
import type { PayoutValues } from "./payout-request.ts";

const rulesQuery = queryOptions({
  queryKey: ["lookup", "payout-rules"],
  queryFn: async ({ signal }) => {
    const { actions, custom } = (await api.options("/payout/", { signal })) as {
      readonly actions: { readonly POST?: { readonly travel_rule_info?: { required?: boolean } } };
      readonly custom?: { readonly POST?: { readonly address_masks?: AddressMasks } };
    };
    return {
      masks: custom?.POST?.address_masks ?? {},
      isTravelRuleRequired: actions.POST?.travel_rule_info?.required !== false,
    };
  },
  staleTime: 10 * 60_000,
});

/** The rules from `OPTIONS /payout/`: address formats, and whether recipient details are required. `isLoaded` is true after an error too. */
export function usePayoutRules() {
  const { data = { masks: {}, isTravelRuleRequired: true }, isPending } = useQuery(rulesQuery);
  return { ...data, isLoaded: !isPending };
}

/** What a payout of the amount needs besides funds; null while unknown. */
export function useRequirements(
  { wallet, currency }: Pick<PayoutValues, "wallet" | "currency">,
  amount: string,
) {
  const [settled] = useDebouncedValue(amount, 300);
  const { data } = useQuery({
    queryKey: ["payout-requirements", wallet, currency, settled],
    queryFn: ({ signal }) => checkRequirements({ wallet, currency }, settled, signal),
    enabled: wallet !== "" && currency !== "" && settled === amount && isPositive(settled),
    // Other payouts count towards the same limits.
    staleTime: 5_000,
    retry: false,
  });
  return settled === amount ? (data ?? null) : null;
}

/** From which amount payouts of the currency need recipient details; null while unknown. */
export function useTravelRule({
  wallet,
  currency,
}: Pick<PayoutValues, "wallet" | "currency">): TravelRuleThreshold | null {
  const { data } = useQuery({
    queryKey: ["travel-rule", wallet, currency],
    // The threshold is the same for every amount.
    queryFn: ({ signal }) => checkRequirements({ wallet, currency }, "1", signal),
    enabled: wallet !== "" && currency !== "",
    staleTime: 60_000,
    retry: false,
  });
  return data === undefined ? null : { from: data.travel_rule_from, currency };
}

/**
 * The largest amount that the budget pays with its commission, and the fees that the budget was computed with: only together do they
 * fit the balance. While another budget is being asked for, the previous answer stays. Null until there is one.
 */
export function useMaxAmount<Fees>(
  { wallet, currency }: Pick<PayoutValues, "wallet" | "currency">,
  { budget, fees }: { readonly budget: string | null; readonly fees: Fees },
): { readonly amount: string; readonly fees: Fees } | null {
  const { data } = useQuery({
    queryKey: ["payout-max", wallet, currency, budget],
    queryFn: async ({ signal }) => {
      const found = await checkRequirements({ wallet, currency }, budget ?? "", signal);
      return { amount: found.amount_after_commission, fees };
    },
    enabled: budget !== null && isPositive(budget),
    placeholderData: (previous, query) =>
      query?.queryKey[1] === wallet && query.queryKey[2] === currency ? previous : undefined,
    retry: false,
  });
  return budget === null ? null : (data ?? null);
}

async function checkRequirements(
  { wallet, currency }: Pick<PayoutValues, "wallet" | "currency">,
  amount: string,
  signal: AbortSignal,
) {
  const { data } = await api.post("/payout/requirements/", {
    attributes: { amount },
    relationships: {
      wallet: { type: "wallet", id: wallet },
      currency: { type: "currency", id: currency },
    },
    signal,
  });
  return data.attributes;
}

/** The beneficiaries on the currency's blockchain. */
export function usePayableBeneficiaries(currency: string): readonly Beneficiary[] {
  const currencies = useCurrencies();
  const all = useQuery({
    queryKey: ["lookup", "beneficiaries"],
    queryFn: async ({ signal }) =>
      Array.fromAsync(api.each("/beneficiary/", { sort: ["name"], signal })),
    staleTime: 5_000,
  });
  const coinOf = (id: string): string => currencies.get(id)?.relationships.parent.data?.id ?? id;
  return (all.data ?? []).filter(
    ({ relationships }) => coinOf(relationships.currency.data.id) === coinOf(currency),
  );
}

/** One beneficiary with its recipient details, which lists omit. */
export function useBeneficiary(id: string): Beneficiary | null {
  const beneficiary = useQuery({
    queryKey: ["beneficiary", id],
    queryFn: async ({ signal }) => (await api.get("/beneficiary/{id}/", { id, signal })).data,
    enabled: id !== "",
  });
  return beneficiary.data ?? null;
}
