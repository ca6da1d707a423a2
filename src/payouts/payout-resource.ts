import type { CurrencyRegistry } from "../currencies/registry.ts";
import { formatDecimal } from "../platform/kernel/decimal.ts";
import type { JsonObject } from "../platform/kernel/json.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";
import type { Payout } from "./payout.ts";

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
      rate_requested: rateText(payout),
      callback_url: payout.callbackUrl,
      force_blockchain: payout.forceBlockchain,
      exp: currency.exp,
      tag_type: payout.tagType,
      tag: payout.tag,
      destination: destinationOf(payout),
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

/** Includes the tag on chains that use tags. */
function destinationOf({ address, addressType, tag, tagType }: Payout) {
  if (address === null) return null;
  return {
    address_type: addressType === "" ? null : addressType,
    address,
    ...(tagType === null ? {} : { tag_type: tagType }),
    ...(tag === null ? {} : { tag }),
  };
}
