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
  { value: "deposit", name: "money that came" },
  { value: "payout", name: "money that went" },
];
const feeKinds = [
  { value: "commission", name: "charged by the operator" },
  { value: "network", name: "charged for the network's fee of payouts" },
];

/** Which span: `to` is not part of it. Default: the last 30 days. */
const spanFilters = {
  from: timeBound(),
  to: timeBound(),
  bucket: { lookup: "exact", choices: bucketSizes },
  wallet: wholeNumber(18),
} as const;

const spanAttributes = {
  from: described(timestamp, "Beginning of the first bucket."),
  to: described(timestamp, "End of the span, itself not part of it."),
  bucket: oneOf(bucketSizes),
};

const seconds: JsonSchema = { type: "number" };
const ofFiat = "By the current price, not by that of the time; null where there is none.";

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
  "Only those in which there is something, oldest first.",
);
const amountAttributes = {
  direction: oneOf(directions),
  ...spanAttributes,
  count: integer,
  amount: described(decimal, "In the currency."),
  fiat: described(text, "Alpha code of the fiat currency."),
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
    "Confirmed money of one currency and direction over time, by when it was first recorded. Dust, other assets than a deposit's and what screening holds do not count.",
  attributes: amountAttributes,
  relationships: { currency: { resource: "currency" } },
  filters: amountFilters,
  sortable: ["count"],
  defaultSort: "id",
});

export const feeResource = defineResource({
  type: "fee-statistic",
  description: "What was charged for confirmed money of one direction, in one currency, over time.",
  attributes: { fee: oneOf(feeKinds), ...amountAttributes },
  relationships: { currency: { resource: "currency" } },
  filters: { ...amountFilters, fee: { lookup: "exact", choices: feeKinds } },
  sortable: ["count"],
  defaultSort: "id",
});

const percentiles = {
  count: integer,
  p50_seconds: described(seconds, "Half took at most so long."),
  p90_seconds: seconds,
  p99_seconds: seconds,
};

export const confirmationTimeResource = defineResource({
  type: "confirmation-time-statistic",
  description:
    "How long payments on a chain took to be confirmed: those that came from when they were seen, those that went from when they were asked for.",
  attributes: {
    direction: oneOf(directions),
    ...spanAttributes,
    ...percentiles,
    buckets: list(percentiles, "Only those in which there is something, oldest first."),
  },
  relationships: { currency: { resource: "currency" } },
  filters: {
    ...spanFilters,
    currency: wholeNumber(8),
    direction: { lookup: "exact", choices: directions },
  },
  sortable: ["count"],
  defaultSort: "id",
});

const callbackCounts = {
  delivered_at_once: described(integer, "By the first attempt."),
  delivered_later: described(integer, "By a later one."),
  failed: described(integer, "Given up."),
  waiting: described(integer, "For an attempt."),
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
    "What became of the callbacks of deposits, or of payouts, by when they were made; its id is `deposit` or `payout`.",
  attributes: {
    ...spanAttributes,
    ...callbackCounts,
    buckets: list(callbackCounts, "Only those in which there is something, oldest first."),
  },
  relationships: {},
  filters: spanFilters,
  sortable: [],
  defaultSort: "id",
});
