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
    address: described(nullable(text), "Who is paid; null where it stays inside the service."),
    target_deposit: described(
      nullable(text),
      "The deposit of this service that is paid, by the id of its payment page.",
    ),
    target_wallet: described(nullable(text), "The wallet of this account that is paid."),
    tracking_id: described(nullable(text), "Your own number for it. Callbacks sign it."),
    label: described(nullable(text), "Your name for it."),
    confirmations_needed: described(
      nullable(integer),
      "It is confirmed at this depth; null: at the currency's own.",
    ),
    fee_amount: described(
      decimal,
      "The blockchain fee, in the coin that the payment currency's chain takes fees in.",
    ),
    is_fee_included: described(boolean, "Whether the receiver gets the amount less the fee."),
    status: oneOf(payoutStatuses),
    rate_requested: described(
      nullable(decimal),
      "One unit of the payment currency in the wallet's, fixed at the creation.",
    ),
    callback_url: described(nullable(givenUrl), "Where its callbacks go."),
    force_blockchain: described(
      boolean,
      "Whether it goes over the chain although the address is one of this service.",
    ),
    exp: described(integer, "Digits of the payment currency after the decimal separator."),
    tag_type: described(nullable(text), "Which kind of memo it is, on chains with several."),
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
      "The receiver, as given. Null in lists, and for the Read only role.",
    ),
    created_at: timestamp,
  },
  relationships: { currency: { resource: "currency" }, wallet: { resource: "wallet" } },
  filters: payoutFilters,
  sortable: payoutSort,
  defaultSort: "-created_at",
});
