import {
  boolean,
  integer,
  type JsonSchema,
  nullable,
  text,
} from "../../platform/resources/json-schema.ts";

/** An object with all of these members, always present. */
function record(
  properties: Readonly<Record<string, JsonSchema>>,
  description?: string,
): JsonSchema {
  const schema = { type: "object", required: Object.keys(properties), properties };
  return description === undefined ? schema : { ...schema, description };
}

const instant: JsonSchema = { type: "string", format: "date-time" };
const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });

const currency = {
  currency: text,
  code: text,
  name: text,
  chain: text,
  chainName: text,
  isSimulated: boolean,
};

const accent = record({ color: text, ink: text });

const choice = record({
  ...currency,
  amount: nullable(text),
  minimum: text,
  unavailable: { enum: ["below_minimum", "no_rate", "paused", null] },
});

const payment = record({
  ...currency,
  precision: integer,
  address: text,
  addressType: text,
  tag: nullable(record({ type: text, value: text })),
  account: nullable(text),
  combined: nullable(text),
  requested: nullable(text),
  received: text,
  pending: text,
  missing: nullable(text),
  rate: nullable(
    record({ value: text, expiresAt: nullable(instant), isHeld: boolean, isExpired: boolean }),
  ),
  uri: text,
  qr: list(text),
  evm: nullable(record({ chainId: integer, token: nullable(text), units: nullable(text) })),
});

const arrival = record({
  txid: nullable(text),
  link: nullable(text),
  code: text,
  amount: text,
  state: {
    enum: [
      "pending",
      "confirmed",
      "waiting",
      "wrong_asset",
      "too_small",
      "held",
      "reverted",
      "returned",
    ],
  },
  confirmations: integer,
  needed: integer,
  seenAt: instant,
});

/** `CheckoutState` (src/deposits/checkout/checkout-state.ts) as a schema. */
export const checkoutStateSchema: JsonSchema = record(
  {
    id: text,
    version: text,
    stage: {
      enum: ["choose", "waiting", "seen", "partial", "paid", "unresolved", "expired", "cancelled"],
    },
    reason: { enum: ["overpaid", "late", "second_payment", "partial", "cancelled", "other", null] },
    isSandbox: boolean,
    shop: nullable(text),
    brand: record({
      logo: nullable(text),
      accents: nullable(record({ light: accent, dark: accent })),
    }),
    order: nullable(text),
    description: nullable(text),
    helpEmail: nullable(text),
    embedders: list(text),
    redirect: nullable(record({ url: text, text: nullable(text) })),
    price: nullable(record({ amount: text, code: text, precision: integer })),
    choices: nullable(list(choice)),
    payment: nullable(payment),
    arrivals: list(arrival),
    expiresAt: nullable(instant),
    now: instant,
    receipt: record({ isShown: boolean, note: nullable(text), isMailed: boolean }),
    refund: record({
      isAsked: boolean,
      tagType: { enum: ["destination_tag", "memo", "comment", null] },
      address: nullable(text),
      tag: nullable(text),
    }),
  },
  "The payer's view of a deposit.",
);
