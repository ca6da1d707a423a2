import type { CurrencyRegistry } from "../currencies/registry.ts";
import { destinationSchema, renderDestination } from "../currencies/render-destination.ts";
import { formatDecimal } from "../platform/kernel/decimal.ts";
import type { JsonObject } from "../platform/kernel/json.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";
import { defineResource } from "../platform/resources/define-resource.ts";
import {
  boolean,
  decimal,
  described,
  givenUrl,
  integer,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../platform/resources/json-schema.ts";
import { type Payout, payoutStatuses } from "./payout.ts";
import { payoutFilters, payoutSort } from "./payout-filters.ts";
import { payoutStates, stateOfPayout } from "./payout-state.ts";

/** The payout of callbacks, which never contain travel-rule data. */
export const payoutCallbackDefinition = defineResource({
  type: "payout",
  description:
    "A record that sends funds from a wallet to an address, to another wallet, or to a deposit.",
  attributes: {
    amount: described(decimal, "In the payment currency."),
    address: described(nullable(text), "The recipient's address. Null for internal payouts."),
    target_deposit: described(
      nullable(text),
      "The deposit of this service that is paid, by the id of its payment page.",
    ),
    target_wallet: described(nullable(text), "The wallet of this account that is paid."),
    tracking_id: described(nullable(text), "Your own id for the payout. Callbacks sign it."),
    label: described(nullable(text), "Your name for the payout."),
    confirmations_needed: described(
      nullable(integer),
      "The payout is Confirmed at this number of confirmations. Null: at the currency's own.",
    ),
    fee_amount: described(
      decimal,
      "The blockchain fee, in the coin in which the payment currency's chain takes fees.",
    ),
    is_fee_included: described(boolean, "Whether the receiver gets the amount minus the fee."),
    status: oneOf(payoutStatuses),
    state: described(
      oneOf(payoutStates),
      "The status in words, with the progress of the transfer.",
    ),
    rate_requested: described(
      nullable(decimal),
      "One unit of the payment currency in the wallet's currency, fixed when the payout is created.",
    ),
    callback_url: described(nullable(givenUrl), "Where its callbacks go."),
    force_blockchain: described(
      boolean,
      "Whether the payout goes over the chain although the address belongs to this service.",
    ),
    exp: described(integer, "Digits of the payment currency after the decimal separator."),
    tag_type: described(nullable(text), "The kind of memo, on chains with several."),
    tag: described(nullable(text), "Destination tag or memo, on chains that have one."),
    destination: destinationSchema,
    created_at: timestamp,
  },
  relationships: { currency: { resource: "currency" }, wallet: { resource: "wallet" } },
  filters: payoutFilters,
  sortable: payoutSort,
  defaultSort: "-created_at",
});

/** The interface's payout ("Resources and their fields") with the filters of "GET {base_url}/payout/{id}". */
export const payoutDefinition = defineResource({
  ...payoutCallbackDefinition,
  attributes: {
    ...payoutCallbackDefinition.attributes,
    travel_rule_info: described(
      { type: ["object", "null"] },
      "The receiver as it was given. Null without one, in lists and for the role Read only.",
    ),
  },
});

/**
 * The payout resource without travel-rule data, as callbacks carry it; see `payoutResourceWithTravelRule`. Amounts
 * are in the payment currency, the fee in the coin that pays it.
 */
export function payoutResource(payout: Payout, currencies: CurrencyRegistry) {
  const currency = currencies.get(payout.currency);
  const feeCurrency = currencies.get(payout.feeCurrency);
  return {
    type: "payout",
    id: payout.id,
    attributes: {
      amount: formatDecimal(payout.units, currency.exp),
      address: payout.address,
      target_deposit: payout.targetDeposit,
      target_wallet: payout.targetWalletId,
      tracking_id: payout.trackingId,
      label: payout.label,
      confirmations_needed: payout.confirmationsNeeded,
      fee_amount: formatDecimal(payout.feeUnits, feeCurrency.exp),
      is_fee_included: payout.isFeeIncluded,
      status: payout.status,
      state: stateOfPayout(payout),
      rate_requested: rateText(payout),
      callback_url: payout.callbackUrl,
      force_blockchain: payout.forceBlockchain,
      exp: currency.exp,
      tag_type: payout.tagType,
      tag: payout.tag,
      destination:
        payout.address === null
          ? null
          : renderDestination(currency, { ...payout, address: payout.address }),
      created_at: formatTimestamp(payout.createdAt),
    },
    relationships: {
      currency: { data: { type: "currency", id: payout.currency as string } },
      wallet: { data: { type: "wallet", id: payout.walletId } },
    },
  } as const;
}

/** The payout resource with its travel-rule attribute, which is null in lists and for callers who may not see it. */
export function payoutResourceWithTravelRule(
  payout: Payout,
  currencies: CurrencyRegistry,
  travelRule: JsonObject | null,
) {
  const resource = payoutResource(payout, currencies);
  const attributes = { ...resource.attributes, travel_rule_info: travelRule };
  return { ...resource, attributes };
}

/** "1 if equal" (to the wallet's currency). */
function rateText({ currency, walletCurrency, rate }: Payout): string {
  return currency === walletCurrency ? "1" : formatDecimal(rate.units, rate.exp);
}
