import type { JsonObject } from "../../../src/platform/kernel/json.ts";

/* The interface's tables of the deposit, copied from its pages and not from the program. */

/** "Resources and their fields", Deposit: the attributes of every response, without `id` and relationships. */
export const depositAttributes: readonly string[] = [
  ...["status", "is_active", "address", "address_type", "label", "tracking_id"],
  ...[
    "confirmations_needed",
    "time_limit",
    "callback_url",
    "inaccuracy",
    "target_amount_requested",
  ],
  ...["rate_requested", "rate_expired_at", "invoice_updated_at", "payment_page", "target_paid"],
  ...["source_amount_requested", "target_paid_pending", "assets", "destination"],
  ...["payment_page_redirect_url", "payment_page_button_text", "created_at"],
];

/** The same, Payout. */
export const payoutAttributes: readonly string[] = [
  ...["amount", "address", "target_deposit", "target_wallet", "tracking_id", "label"],
  ...["confirmations_needed", "fee_amount", "is_fee_included", "status", "rate_requested"],
  ...["callback_url", "force_blockchain", "exp", "tag_type", "tag", "destination"],
  ...["travel_rule_info", "created_at"],
];

/** "Callback objects", and what the decisions add: attributes by type. */
export const otherAttributes: Readonly<Record<string, readonly string[]>> = {
  transfer: [
    ...["op_id", "op_type", "amount", "commission", "fee", "txid", "status", "message"],
    ...["user_message", "created_at", "updated_at", "confirmations", "risk", "risk_status"],
    "amount_cleared",
  ],
  currency: [
    ...["iso", "name", "alpha", "alias", "exp", "confirmation_blocks", "minimal_transfer_amount"],
    ...["block_delay", "blockchain_name", "tags"],
  ],
  wallet: [
    ...["label", "status", "type", "created_at", "balance_confirmed", "balance_pending"],
    ...["balance_unusable", "minimal_transfer_amount", "destination"],
  ],
  rate: ["left", "right", "bid", "ask", "exp", "created_at", "expired_at"],
};

const positiveInteger = "^[1-9][0-9]*$";
const signedDecimal = "^-?[0-9]+(\\.[0-9]+)?$";
const statuses = [
  { value: 2, display_name: "Created" },
  { value: 3, display_name: "Paid" },
  { value: 4, display_name: "Canceled" },
  { value: 5, display_name: "Unresolved" },
];

const exact = (constraints: JsonObject = {}): JsonObject => ({
  lookup_expr: "exact",
  ...constraints,
  required: false,
});
const contains = (length: number): JsonObject => ({
  ...exact({ max_length: length }),
  lookup_expr: "icontains",
});
const each = (names: readonly string[], filter: JsonObject): Record<string, JsonObject> =>
  Object.fromEntries(names.map((name) => [name, filter]));

/** "Filters for deposits": what OPTIONS lists under `actions.GET`, without `state`. */
export const depositFilters: Readonly<Record<string, JsonObject>> = {
  currency: exact({ regexp: positiveInteger, max_length: 8 }),
  wallet: exact(),
  ...each(["wallet_from", "wallet_to"], exact({ max_length: 64 })),
  wallet_type: exact({
    choices: [
      { value: 1, display_name: "Merchant" },
      { value: 2, display_name: "Enterprise" },
      { value: 3, display_name: "Custody" },
      { value: 4, display_name: "NFT" },
      { value: 5, display_name: "Swap" },
    ],
  }),
  id: exact({ regexp: positiveInteger, max_length: 8 }),
  ...each(
    ["created_at_from", "created_at_to", "updated_at_from", "updated_at_to"],
    exact({ max_length: 32 }),
  ),
  label: contains(32),
  tracking_id: contains(128),
  commission: exact({ regexp: signedDecimal, max_length: 32 }),
  address: exact({ max_length: 256 }),
  confirmations_needed: exact({ regexp: positiveInteger, max_length: 2 }),
  help_email: exact({ max_length: 64 }),
  status: exact({ choices: statuses }),
  time_limit: exact({ regexp: positiveInteger, max_length: 8 }),
  inaccuracy: contains(32),
  ...each(["target_amount_requested", "rate_requested"], exact({ max_length: 32 })),
  ...each(["expired_at_from", "expired_at_to"], exact({ max_length: 64 })),
  ...each(
    [
      ...["target_paid", "enrolled", "target_paid_pending", "source_paid_pending", "source_paid"],
      ...["source_commission", "source_amount_requested"],
    ],
    exact({ max_length: 64 }),
  ),
};

const field = (type: string, bounds: JsonObject = {}): JsonObject => ({
  type,
  required: false,
  read_only: false,
  ...bounds,
});

/**
 * "POST {base_url}/deposit/": what OPTIONS lists under `actions.POST`, without the labels. `help_email`, the lengths of the texts
 * of the return link, and `description` are the decisions' and the product's own.
 */
export const depositFields: Readonly<Record<string, JsonObject>> = {
  wallet: field("Relationship", {
    required: true,
    relationship_type: "ManyToOne",
    relationship_resource: "wallet",
  }),
  currency: field("Relationship", {
    relationship_type: "ManyToOne",
    relationship_resource: "currency",
  }),
  label: field("String", { max_length: 32 }),
  tracking_id: field("String", { max_length: 128 }),
  confirmations_needed: field("Integer", { min_value: 0, max_value: 100 }),
  callback_url: field("URL", { max_length: 256 }),
  status: field("Choice", { choices: statuses }),
  address_type: field("String", { max_length: 16 }),
  inaccuracy: field("Decimal", { min_value: 0 }),
  time_limit: field("Integer", { min_value: 59, max_value: 2_592_000 }),
  target_amount_requested: field("Decimal", { min_value: 0 }),
  travel_rule_info: field("GenericField"),
  payment_page: field("URL", { read_only: true }),
  help_email: field("String", { max_length: 64 }),
  payment_page_redirect_url: field("URL", { max_length: 2_048 }),
  payment_page_button_text: field("String", { max_length: 64 }),
  description: field("String", { max_length: 256 }),
};

/** "Filters are those of deposits, except": what OPTIONS of payouts lists under `actions.GET`. */
export const payoutFilters: Readonly<Record<string, JsonObject>> = {
  ...depositFilters,
  address: exact(),
  status: exact({
    choices: [
      { value: 1, display_name: "Waiting for approve" },
      { value: 2, display_name: "Approved" },
      { value: 3, display_name: "Canceled" },
    ],
  }),
  is_fee_included: exact(),
  amount: exact({ regexp: signedDecimal }),
  charged: contains(32),
};

/** `filter[state]`, which the decisions add (section 7),. */
const stateFilter = (names: Readonly<Record<string, string>>): JsonObject =>
  exact({
    choices: Object.entries(names).map(([value, name]) => ({ value, display_name: name })),
  });
export const depositStateFilter = stateFilter({
  new: "New",
  pending: "Pending",
  partially_paid: "Partially paid",
  paid: "Paid",
  overpaid: "Overpaid",
  expired: "Expired",
  canceled: "Canceled",
  on_hold: "On hold",
  refunded: "Refunded",
});
export const payoutStateFilter = stateFilter({
  needs_approval: "Needs approval",
  queued: "Queued",
  sent: "Sent",
  confirmed: "Confirmed",
  failed: "Failed",
  canceled: "Canceled",
  on_hold: "On hold",
});

/** "POST {base_url}/payout/": what OPTIONS lists under `actions.POST`, without the labels. */
export const payoutFields: Readonly<Record<string, JsonObject>> = {
  wallet: depositFields["wallet"] as JsonObject,
  currency: field("Relationship", {
    required: true,
    relationship_type: "ManyToOne",
    relationship_resource: "currency",
  }),
  amount: field("Decimal", { required: true, min_value: 0, max_length: 36 }),
  fee_amount: field("Decimal", { min_value: 0, max_length: 36 }),
  address: field("String", { max_length: 128 }),
  target_deposit: field("String", { max_length: 64 }),
  target_wallet: field("Relationship", {
    relationship_type: "ManyToOne",
    relationship_resource: "wallet",
  }),
  label: field("String", { max_length: 32 }),
  tracking_id: field("String", { max_length: 128 }),
  confirmations_needed: field("Integer", { min_value: 0, max_value: 100 }),
  callback_url: field("URL", { max_length: 256 }),
  is_fee_included: field("Boolean"),
  force_blockchain: field("Boolean"),
  tag: field("String", { max_length: 64 }),
  tag_type: field("String", { max_length: 64 }),
  travel_rule_info: field("GenericField", { required: true }),
  exp: field("Integer", { read_only: true }),
};
