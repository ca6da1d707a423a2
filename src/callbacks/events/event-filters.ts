import type { SqlFilter } from "../../platform/db/list-query.ts";
import { choice, exactText, timeBound, wholeNumber } from "../../platform/resources/filters.ts";
import { eventWallet, objectTypes } from "../callback.ts";

/** The filters of the event list: what each accepts, and which rows of `event` it selects. */
export const eventFilters = {
  after: {
    lookup: "exact",
    regexp: "^(0|[1-9][0-9]*)$",
    expects: "a whole number",
    maxLength: 18,
    kind: "custom",
    predicate: (bind, text) => `event.seq > ${bind(text)}::bigint`,
  },
  object_type: { ...choice(objectTypes), kind: "text", sql: "event.object_type" },
  object_id: { ...wholeNumber(18), kind: "id", sql: "event.object_id" },
  trigger: { ...exactText(32), kind: "text", sql: "event.trigger" },
  wallet: { ...wholeNumber(18), kind: "text", sql: eventWallet },
  created_at_from: { ...timeBound(), kind: "from", sql: "event.created_at" },
  created_at_to: { ...timeBound(), kind: "to", sql: "event.created_at" },
} as const satisfies Readonly<Record<string, SqlFilter>>;
