import type { Callback, CallbackAttempt } from "../../callbacks/callback.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  containedText,
  exactText,
  timeBound,
  wholeNumber,
} from "../../platform/resources/filters.ts";
import {
  described,
  givenUrl,
  integer,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { objectTypes } from "../reports/object-types.ts";

/** The subjects of callbacks. Test deliveries are not in the feed, so events have the first two only. */
const subjectTypes = [...objectTypes, { value: "test", name: "a test delivery" }] as const;

const statuses = [
  { value: "pending", name: "waiting for its next attempt" },
  { value: "delivered", name: "answered with HTTP 200" },
  { value: "exhausted", name: "failed on every attempt" },
];

export const callbackResource = defineResource({
  type: "callback",
  description:
    "A delivery of one event to the callback URL of its deposit or payout, or a test delivery.",
  attributes: {
    url: givenUrl,
    status: oneOf(statuses),
    trigger: described(text, "What happened: status, confirmed, settled, reversed, ..."),
    object_type: oneOf(subjectTypes),
    object_id: text,
    webhook_id: described(text, "Sent as webhook-id, the same on every attempt."),
    attempts: described(integer, "Attempts made so far."),
    next_attempt_at: described(nullable(timestamp), "Null when no further attempt is scheduled."),
    last_status_code: described(nullable(integer), "HTTP status of the newest attempt."),
    delivered_at: nullable(timestamp),
    created_at: timestamp,
    updated_at: timestamp,
    attempt_log: described(
      {
        type: "array",
        items: {
          type: "object",
          properties: {
            number: integer,
            time: timestamp,
            duration_ms: integer,
            status_code: nullable(integer),
            error: nullable(text),
            answer: nullable(text),
          },
        },
      },
      "The newest hundred attempts, newest first; `answer` is the first 2 KiB of the answer's body, unprintable characters escaped. Left out of lists.",
    ),
  },
  sometimes: ["attempt_log"],
  relationships: {
    wallet: { resource: "wallet", nullable: true },
    deposit: {
      resource: "deposit",
      nullable: true,
      description: "Null for callbacks about payouts and for test deliveries.",
    },
  },
  filters: {
    id: wholeNumber(18),
    status: { lookup: "exact", choices: statuses },
    trigger: exactText(32),
    object_type: { lookup: "exact", choices: subjectTypes },
    object_id: wholeNumber(18),
    deposit: wholeNumber(18),
    wallet: wholeNumber(18),
    url: containedText(256),
    created_at_from: timeBound(),
    created_at_to: timeBound(),
    updated_at_from: timeBound(),
    updated_at_to: timeBound(),
  },
  sortable: ["created_at", "updated_at", "status", "attempts"],
  defaultSort: "-created_at",
});

/** Renders a callback; with `log` null, without its attempts. */
export function renderCallback(
  callback: Callback,
  log: readonly CallbackAttempt[] | null,
): ResourceOf<typeof callbackResource> {
  return {
    type: "callback",
    id: callback.id,
    attributes: {
      url: callback.url,
      status: callback.status,
      trigger: callback.trigger,
      object_type: callback.objectType,
      object_id: callback.objectId,
      webhook_id: callback.webhookId,
      attempts: callback.attempts,
      next_attempt_at: formatTimestampOrNull(callback.nextAttemptAt),
      last_status_code: callback.lastStatusCode,
      delivered_at: formatTimestampOrNull(callback.deliveredAt),
      created_at: formatTimestamp(callback.createdAt),
      updated_at: formatTimestamp(callback.updatedAt),
      ...(log === null ? {} : { attempt_log: log.map(renderAttempt) }),
    },
    relationships: {
      wallet: toOne("wallet", callback.walletId),
      deposit: toOne("deposit", callback.objectType === "deposit" ? callback.objectId : null),
    },
  };
}

function renderAttempt(attempt: CallbackAttempt) {
  return {
    number: attempt.number,
    time: formatTimestamp(attempt.attemptedAt),
    duration_ms: attempt.durationMs,
    status_code: attempt.statusCode,
    error: attempt.error,
    answer: attempt.answerHead,
  };
}
