import { defineResource } from "../../platform/resources/define-resource.ts";
import { timeBound, wholeNumber } from "../../platform/resources/filters.ts";
import {
  decimal,
  described,
  integer,
  type JsonSchema,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";

const bucketSizes = [
  { value: "hour", name: "an hour" },
  { value: "day", name: "a day of UTC" },
  { value: "week", name: "a week from Monday" },
];
const directions = [
  { value: "deposit", name: "incoming" },
  { value: "payout", name: "outgoing" },
];
const feeKinds = [
  { value: "commission", name: "charged by the operator" },
  { value: "network", name: "charged for the network fees of payouts" },
];

/** The time span; `to` is exclusive. Default: the last 30 days. */
const spanFilters = {
  from: timeBound(),
  to: timeBound(),
  bucket: { lookup: "exact", choices: bucketSizes },
  wallet: wholeNumber(18),
} as const;

const spanAttributes = {
  from: described(timestamp, "Start of the first bucket."),
  to: described(timestamp, "End of the span, exclusive."),
  bucket: oneOf(bucketSizes),
};

const seconds: JsonSchema = { type: "number" };
const ofFiat = "At the current price, not at that of the time; null when there is none.";

function list(properties: Readonly<Record<string, JsonSchema>>, description: string): JsonSchema {
  const items = {
    type: "object",
    properties: { start: timestamp, ...properties },
    required: ["start", ...Object.keys(properties)],
  };
  return { type: "array", items, description };
}

const amountBuckets = list(
  { count: integer, amount: decimal, fiat_amount: nullable(decimal) },
  "Only non-empty buckets, oldest first.",
);
const amountAttributes = {
  direction: oneOf(directions),
  ...spanAttributes,
  count: integer,
  amount: described(decimal, "In the currency."),
  fiat: described(text, "Code of the fiat currency."),
  fiat_amount: described(nullable(decimal), ofFiat),
  buckets: amountBuckets,
};
const amountFilters = {
  ...spanFilters,
  currency: wholeNumber(8),
  direction: { lookup: "exact", choices: directions },
  fiat: wholeNumber(8),
} as const;

export const volumeResource = defineResource({
  type: "volume-statistic",
  description:
    "Confirmed amounts of one currency and direction over time, by when they were first recorded. Dust, wrong assets and held payments do not count.",
  attributes: amountAttributes,
  relationships: { currency: { resource: "currency" } },
  filters: amountFilters,
  sortable: ["count"],
});

export const feeResource = defineResource({
  type: "fee-statistic",
  description:
    "Fees and commission on confirmed amounts of one direction, in one currency, over time.",
  attributes: { fee: oneOf(feeKinds), ...amountAttributes },
  relationships: { currency: { resource: "currency" } },
  filters: { ...amountFilters, fee: { lookup: "exact", choices: feeKinds } },
  sortable: ["count"],
});

const percentiles = {
  count: integer,
  p50_seconds: described(seconds, "Median."),
  p90_seconds: seconds,
  p99_seconds: seconds,
};

export const confirmationTimeResource = defineResource({
  type: "confirmation-time-statistic",
  description:
    "How long payments on a chain took to confirm: incoming ones from detection, outgoing ones from the request.",
  attributes: {
    direction: oneOf(directions),
    ...spanAttributes,
    ...percentiles,
    buckets: list(percentiles, "Only non-empty buckets, oldest first."),
  },
  relationships: { currency: { resource: "currency" } },
  filters: {
    ...spanFilters,
    currency: wholeNumber(8),
    direction: { lookup: "exact", choices: directions },
  },
  sortable: ["count"],
});

const callbackCounts = {
  delivered_at_once: described(integer, "Delivered by the first attempt."),
  delivered_later: described(integer, "Delivered by a later attempt."),
  failed: described(integer, "Given up."),
  waiting: described(integer, "Waiting for an attempt."),
  p50_seconds: described(
    nullable(seconds),
    "From the event to its delivery: half took at most so long.",
  ),
  p90_seconds: nullable(seconds),
  p99_seconds: nullable(seconds),
};

export const callbackStatisticResource = defineResource({
  type: "callback-statistic",
  description:
    "The outcomes of callbacks of deposits or payouts, by creation time; its id is `deposit` or `payout`.",
  attributes: {
    ...spanAttributes,
    ...callbackCounts,
    buckets: list(callbackCounts, "Only non-empty buckets, oldest first."),
  },
  filters: spanFilters,
});
