import { depositStatus } from "../../deposits/deposit.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
import { exactText } from "../../platform/resources/filters.ts";
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
  url,
} from "../../platform/resources/json-schema.ts";
import { travelRuleSchema } from "../payouts/travel-rule-schema.ts";
import { recordFilters } from "../reports/record-filters.ts";

const statuses = [
  { value: depositStatus.created, name: "Created" },
  { value: depositStatus.paid, name: "Paid" },
  { value: depositStatus.canceled, name: "Canceled" },
  { value: depositStatus.unresolved, name: "Unresolved" },
] as const;

/** The deposit of the interface, "Resources and their fields", with the filters of "GET {base_url}/deposit/{id}". */
export const depositDefinition = defineResource({
  type: "deposit",
  description: "A record that receives payments to an address, which belongs to a wallet.",
  attributes: {
    status: oneOf(statuses),
    is_active: described(boolean, "Whether payments to its address are still expected."),
    address: described(
      nullable(text),
      "Where to pay. Null as long as the payer has not chosen a currency.",
    ),
    address_type: described(text, "Form of the address, where its chain has several; else empty."),
    label: described(nullable(text), "Your name for it; the payment page shows it."),
    tracking_id: described(nullable(text), "Your own number for it. Callbacks sign it."),
    confirmations_needed: described(
      nullable(integer),
      "Payments are confirmed at this depth; null: at the currency's own.",
    ),
    time_limit: described(
      nullable(integer),
      "Seconds that a payment may take, from the creation or the last change.",
    ),
    callback_url: described(nullable(givenUrl), "Where its callbacks go."),
    inaccuracy: described(
      nullable(decimal),
      "How far payments may miss the request, in the wallet's currency.",
    ),
    target_amount_requested: described(
      nullable(decimal),
      "What is asked for, in the wallet's currency.",
    ),
    rate_requested: described(
      nullable(decimal),
      "One unit of the payment currency in the wallet's.",
    ),
    rate_expired_at: described(
      nullable(timestamp),
      "Until when that rate is held. Null: it is not held, or both currencies are the same.",
    ),
    invoice_updated_at: described(nullable(timestamp), "When the time limit began to count."),
    payment_page: described(url, "The link for the payer."),
    target_paid: described(decimal, "Confirmed payments, in the wallet's currency."),
    source_amount_requested: described(nullable(decimal), "What to pay, in the payment currency."),
    target_paid_pending: described(
      decimal,
      "Payments that were seen and are not confirmed, in the wallet's currency.",
    ),
    assets: described(
      { type: "object", additionalProperties: { type: "string" } },
      "All that arrived at the address, by the currencies' codes.",
    ),
    destination: nullable({
      type: "object",
      required: ["address_type", "address"],
      properties: { address_type: nullable(text), address: text },
    }),
    payment_page_redirect_url: described(
      nullable(givenUrl),
      "Where the payment page leads to when it is done.",
    ),
    payment_page_button_text: described(nullable(text), "The text of the button that leads there."),
    created_at: timestamp,
  },
  relationships: {
    currency: {
      resource: "currency",
      nullable: true,
      description: "What is paid in. Null as long as the payer has not chosen.",
    },
    wallet: { resource: "wallet", description: "What is credited." },
  },
  filters: recordFilters({
    address: exactText(256),
    status: { lookup: "exact", choices: statuses },
  }),
  sortable: ["created_at", "updated_at", "status", "label", "tracking_id"],
  defaultSort: "-created_at",
});

const timeLimit = {
  kind: "Integer",
  min: 59,
  max: 2_592_000,
  description: "Seconds that a payment may take. A change begins to count anew.",
} as const;
const label = { kind: "String", maxLength: 32, description: "Your name for it." } as const;
const trackingId = {
  kind: "String",
  maxLength: 128,
  description: "Your own number for it; lists find it, callbacks sign it.",
} as const;

/** "POST {base_url}/deposit/", with the fields that only the options method lists. */
export const newDepositDocument = defineDocument({
  type: "deposit",
  fields: {
    wallet: {
      kind: "Relationship",
      resource: "wallet",
      required: true,
      description: "What is credited.",
    },
    currency: {
      kind: "Relationship",
      resource: "currency",
      description:
        "What is paid in; of an Enterprise wallet its own. Absent on a Merchant wallet: the payer chooses on the payment page.",
    },
    label,
    tracking_id: trackingId,
    confirmations_needed: {
      kind: "Integer",
      min: 0,
      max: 100,
      description: "Confirm payments at this depth instead of the currency's own.",
    },
    callback_url: {
      kind: "URL",
      maxLength: 256,
      description: "Where to send its callbacks: https outside the sandbox, a public address.",
    },
    payment_page_redirect_url: {
      kind: "URL",
      maxLength: 2048,
      description: "Where the payment page leads to when it is done.",
    },
    payment_page_button_text: {
      kind: "String",
      maxLength: 64,
      description: "The text of the button that leads there.",
    },
    // Listed as writable by the interface: its choices are checked, its value is not used.
    status: { kind: "Choice", choices: statuses, description: "Checked, and not used." },
    address_type: {
      kind: "String",
      maxLength: 16,
      description: "BTC and LTC: legacy, p2sh-segwit, bech32 (default) or bech32m.",
    },
    inaccuracy: {
      kind: "Decimal",
      min: 0,
      description:
        "How far payments may miss the request, in the wallet's currency; less than the request.",
    },
    time_limit: timeLimit,
    target_amount_requested: {
      kind: "Decimal",
      min: 0,
      description: "What to ask for, in the wallet's currency. Absent: any amount is credited.",
    },
    help_email: {
      kind: "String",
      maxLength: 64,
      description: "Whom the payment page names for help.",
    },
    travel_rule_info: { kind: "Field", schema: travelRuleSchema, description: "Who receives." },
    payment_page: { kind: "URL", readOnly: true },
  },
});

export const depositPatchDocument = defineDocument({
  type: "deposit",
  partial: true,
  id: "path",
  fields: {
    label,
    tracking_id: trackingId,
    time_limit: timeLimit,
  },
});
