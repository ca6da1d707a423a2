import type { SortColumn } from "../platform/db/keyset.ts";
import type { SqlFilter } from "../platform/db/list-query.ts";
import {
  choice,
  containedText,
  exactText,
  timeBound,
  wholeNumber,
} from "../platform/resources/filters.ts";
import { objectTypes } from "./callback.ts";

/** The subjects of callbacks. Test deliveries are not in the feed, so events have the first two only. */
export const callbackSubjects = [
  ...objectTypes,
  { value: "test", name: "a test delivery" },
] as const;

export const callbackStatuses = [
  { value: "pending", name: "waiting for its next attempt" },
  { value: "delivered", name: "answered with HTTP 200" },
  { value: "exhausted", name: "failed on every attempt" },
] as const;

const statusFilters = [
  ...callbackStatuses,
  { value: "retrying", name: "pending, and the newest attempt failed" },
] as const;

/** The filters of the callback list: what each accepts, and which rows of `callback` it selects. */
export const callbackFilters = {
  id: { ...wholeNumber(18), kind: "id", sql: "callback.id" },
  status: {
    ...choice(statusFilters),
    kind: "custom",
    predicate: (bind, text) =>
      text === "retrying"
        ? "callback.status = 'pending' and callback.attempts > 0 and callback.last_status_code is distinct from 200"
        : `callback.status = ${bind(text)}`,
  },
  // The object is the event's: with it, the callbacks of a rare trigger are found from their events.
  trigger: {
    ...exactText(32),
    kind: "custom",
    predicate: (bind, text) =>
      `event.trigger = ${bind(text)} and event.object_type = callback.object_type and event.object_id = callback.object_id`,
  },
  object_type: { ...choice(callbackSubjects), kind: "text", sql: "callback.object_type" },
  object_id: { ...wholeNumber(18), kind: "id", sql: "callback.object_id" },
  deposit: {
    ...wholeNumber(18),
    kind: "custom",
    predicate: (bind, text) =>
      `callback.object_type = 'deposit' and callback.object_id = ${bind(text)}::bigint`,
  },
  wallet: { ...wholeNumber(18), kind: "id", sql: "callback.wallet_id" },
  webhook_endpoint: { ...wholeNumber(18), kind: "id", sql: "callback.endpoint_id" },
  url: { ...containedText(256), kind: "contains", sql: "callback.url" },
  created_at_from: { ...timeBound(), kind: "from", sql: "callback.created_at" },
  created_at_to: { ...timeBound(), kind: "to", sql: "callback.created_at" },
  updated_at_from: { ...timeBound(), kind: "from", sql: "callback.updated_at" },
  updated_at_to: {
    ...timeBound(),
    kind: "to",
    sql: "callback.updated_at",
    notLater: "callback.created_at",
  },
} as const satisfies Readonly<Record<string, SqlFilter>>;

/** The columns that the list sorts by. */
export const callbackSort = {
  id: { sql: "callback.id", type: "bigint" },
  created_at: { sql: "callback.created_at", type: "timestamptz" },
  updated_at: { sql: "callback.updated_at", type: "timestamptz" },
  status: { sql: "callback.status", type: "text" },
  attempts: { sql: "callback.attempts", type: "integer" },
} as const satisfies Readonly<Record<string, SortColumn>>;
