import {
  type DocumentDefinition,
  type DocumentReading,
  defineDocument,
  noValues,
} from "../platform/resources/define-document.ts";
import type { TravelRuleInfo } from "./travel-rule/travel-rule.ts";
import { travelRuleSchema } from "./travel-rule/travel-rule-schema.ts";

const label = { kind: "String", maxLength: 32, description: "Your name for the payout." } as const;
const trackingId = {
  kind: "String",
  maxLength: 128,
  description: "Your own id for the payout, unique per wallet. Callbacks sign it.",
} as const;

const fields = {
  wallet: {
    kind: "Relationship",
    resource: "wallet",
    required: true,
    description: "What pays.",
  },
  currency: {
    kind: "Relationship",
    resource: "currency",
    required: true,
    description: "What is paid out.",
  },
  amount: {
    kind: "Decimal",
    required: true,
    min: 0,
    maxLength: 36,
    belowMin: "amountNotPositive",
    description: "In the payment currency, greater than zero.",
  },
  fee_amount: {
    kind: "Decimal",
    min: 0,
    maxLength: 36,
    description: "From POST /payout/calculate/; not for payouts that stay inside the service.",
  },
  address: {
    kind: "String",
    maxLength: 128,
    description:
      "The recipient's address. Give exactly one of address, target_deposit and target_wallet.",
  },
  target_deposit: {
    kind: "String",
    maxLength: 64,
    description: "A deposit of this service, by the id of its payment page.",
  },
  target_wallet: {
    kind: "Relationship",
    resource: "wallet",
    alsoAttribute: true,
    description: "Another wallet of this account.",
  },
  label,
  tracking_id: trackingId,
  confirmations_needed: {
    kind: "Integer",
    min: 0,
    max: 100,
    description:
      "The payout is Confirmed at this number of confirmations instead of the currency's own.",
  },
  callback_url: {
    kind: "URL",
    maxLength: 256,
    description: "Where to send its callbacks.",
  },
  is_fee_included: {
    kind: "Boolean",
    description: "BTC, LTC and similar coins: the receiver gets the amount minus the fee.",
  },
  force_blockchain: {
    kind: "Boolean",
    description: "Pay on the chain although the address belongs to this service.",
  },
  tag: {
    kind: "String",
    maxLength: 64,
    description: "Destination tag or memo, on chains that have one.",
  },
  tag_type: {
    kind: "String",
    maxLength: 64,
    description: "The kind of memo, on chains with several.",
  },
  travel_rule_info: {
    kind: "Field",
    schema: travelRuleSchema,
    checksTexts: true,
    description: "Who receives the payout.",
  },
  exp: { kind: "Integer", readOnly: true },
} as const satisfies DocumentDefinition["fields"];

const document = defineDocument({ type: "payout", fields });

export type NewPayoutDocument = typeof document;

/**
 * A client's request, with texts as received and decimals as text. Null means not given or malformed; malformed
 * members have a fault of their own.
 */
export type PayoutRequest = Omit<
  DocumentReading<NewPayoutDocument>["values"],
  "travel_rule_info"
> & {
  readonly travelRule: TravelRuleInfo | null;
  /** Pointer to `target_wallet`, which may be an attribute or a relationship. */
  readonly targetWalletPointer: string;
};

/** A request that gives no field. */
export const emptyPayoutRequest: PayoutRequest = {
  ...noValues(document),
  travelRule: null,
  targetWalletPointer: "",
};

/** JSON pointers into a payout request. */
export const at = {
  attribute: (name: string) => ({ pointer: `/data/attributes/${name}` }),
  wallet: { pointer: "/data/relationships/wallet" },
  currency: { pointer: "/data/relationships/currency" },
} as const;

/** "POST {base_url}/payout/", including the fields that only its OPTIONS response lists. */
export function newPayoutDocument(travelRule: { readonly asksAlways: boolean }): NewPayoutDocument {
  if (!travelRule.asksAlways) return document;
  return {
    ...document,
    fields: {
      ...fields,
      travel_rule_info: { ...fields.travel_rule_info, required: true } as never,
    },
  };
}

/** The body of `PATCH /payout/{id}/`. */
export const payoutPatchDocument = defineDocument({
  type: "payout",
  partial: true,
  id: "path",
  fields: { label, tracking_id: trackingId },
});
