import { travelRuleSchema } from "../payouts/travel-rule/travel-rule-schema.ts";
import { defineDocument } from "../platform/resources/define-document.ts";
import { depositStatuses } from "./deposit-status.ts";

const label = {
  kind: "String",
  maxLength: 32,
  description: "Internal description.",
} as const;
const trackingId = {
  kind: "String",
  maxLength: 128,
  description: "Your order number. Lists filter by it, callbacks sign it.",
} as const;
const timeLimit = {
  kind: "Integer",
  min: 59,
  max: 2_592_000,
  description: "Seconds until the deposit expires. A change restarts the time limit.",
} as const;

/** The body of `POST /deposit/`, with the fields that only OPTIONS lists. */
export const newDepositDocument = defineDocument({
  type: "deposit",
  fields: {
    wallet: {
      kind: "Relationship",
      resource: "wallet",
      required: true,
      description: "The wallet to credit.",
    },
    currency: {
      kind: "Relationship",
      resource: "currency",
      description:
        "Payment currency. An Enterprise wallet takes only its own; on a Merchant wallet the payer chooses if it is absent.",
    },
    label,
    tracking_id: trackingId,
    confirmations_needed: {
      kind: "Integer",
      min: 0,
      max: 100,
      description: "Confirmations required, instead of the currency's default.",
    },
    callback_url: {
      kind: "URL",
      maxLength: 256,
      description: "Callback URL: a public address, https outside the sandbox.",
    },
    payment_page_redirect_url: {
      kind: "URL",
      maxLength: 2048,
      description: "Return URL of the payment page.",
    },
    payment_page_button_text: {
      kind: "String",
      maxLength: 64,
      description: "Text of the button that opens the return URL.",
    },
    description: {
      kind: "String",
      maxLength: 256,
      description: "What the payment is for; the payment page shows it.",
    },
    // The interface lists it as writable: its choices are validated, its value is ignored.
    status: { kind: "Choice", choices: depositStatuses, description: "Validated and ignored." },
    address_type: {
      kind: "String",
      maxLength: 16,
      description: "For BTC and LTC: legacy, p2sh-segwit, bech32 (default) or bech32m.",
    },
    inaccuracy: {
      kind: "Decimal",
      min: 0,
      description:
        "Payment tolerance in the wallet's currency, less than the requested amount. Default: the account's tolerances.",
    },
    time_limit: timeLimit,
    target_amount_requested: {
      kind: "Decimal",
      min: 0,
      description: "Requested amount in the wallet's currency. Absent: any amount is credited.",
    },
    help_email: {
      kind: "String",
      maxLength: 64,
      description: "Support email shown on the payment page.",
    },
    travel_rule_info: {
      kind: "Field",
      schema: travelRuleSchema,
      checksTexts: true,
      description: "Travel-rule data of the beneficiary.",
    },
    payment_page: { kind: "URL", readOnly: true },
  },
});

/** The body of `PATCH /deposit/{id}/`. */
export const depositPatchDocument = defineDocument({
  type: "deposit",
  partial: true,
  id: "path",
  fields: { label, tracking_id: trackingId, time_limit: timeLimit },
});
