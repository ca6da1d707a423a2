import { payoutStatuses } from "../../payouts/payout.ts";
import { payoutFilters, payoutSort } from "../../payouts/payout-filters.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
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
} from "../../platform/resources/json-schema.ts";

/** The interface's payout ("Resources and their fields") with the filters of "GET {base_url}/payout/{id}". */
export const payoutResourceDefinition = defineResource({
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
    destination: nullable({
      type: "object",
      required: ["address_type", "address"],
      properties: {
        address_type: nullable(text),
        address: text,
        tag_type: text,
        tag: text,
      },
    }),
    travel_rule_info: described(
      { type: ["object", "null"] },
      "The receiver as it was given. Null in lists and for the role Read only.",
    ),
    created_at: timestamp,
  },
  relationships: { currency: { resource: "currency" }, wallet: { resource: "wallet" } },
  filters: payoutFilters,
  sortable: payoutSort,
  defaultSort: "-created_at",
});
