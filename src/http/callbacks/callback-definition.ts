import type { Callback } from "../../callbacks/callback.ts";
import {
  callbackFilters,
  callbackSort,
  callbackStatuses,
  callbackSubjects,
} from "../../callbacks/callback-filters.ts";
import type { LoggedAttempt } from "../../callbacks/read-callbacks.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  described,
  givenUrl,
  integer,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";

export const callbackResource = defineResource({
  type: "callback",
  description:
    "A delivery of one event to the callback URL of its deposit or payout or to a webhook endpoint, or a test delivery.",
  attributes: {
    url: givenUrl,
    status: oneOf(callbackStatuses),
    trigger: described(text, "What happened: status, confirmed, settled, reversed, ..."),
    object_type: oneOf(callbackSubjects),
    object_id: text,
    webhook_id: described(text, "Sent as webhook-id, the same on every attempt."),
    attempts: described(integer, "Attempts made so far."),
    next_attempt_at: described(nullable(timestamp), "Null when no further attempt is scheduled."),
    last_status_code: described(nullable(integer), "HTTP status of the newest attempt."),
    last_error: described(
      nullable(text),
      "Why the newest attempt got no HTTP status, as in attempt_log; null if it got one.",
    ),
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
            request: {
              type: ["object", "null"],
              properties: {
                headers: { type: "object", additionalProperties: text },
                body: text,
              },
            },
          },
        },
      },
      "The newest hundred attempts, newest first; `answer` is the first 2 KiB of the answer's body, unprintable characters escaped, and `request` the headers and body that were sent. Left out of lists.",
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
    webhook_endpoint: {
      resource: "webhook-endpoint",
      nullable: true,
      description: "Null for a delivery to the callback URL of a deposit or payout.",
    },
  },
  filters: callbackFilters,
  sortable: callbackSort,
  defaultSort: "-created_at",
});

/** Renders a callback; with `log` null, without its attempts. */
export function renderCallback(
  callback: Callback,
  log: readonly LoggedAttempt[] | null,
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
      last_error: callback.lastError,
      delivered_at: formatTimestampOrNull(callback.deliveredAt),
      created_at: formatTimestamp(callback.createdAt),
      updated_at: formatTimestamp(callback.updatedAt),
      ...(log === null ? {} : { attempt_log: log.map(renderAttempt) }),
    },
    relationships: {
      wallet: toOne("wallet", callback.walletId),
      deposit: toOne("deposit", callback.objectType === "deposit" ? callback.objectId : null),
      webhook_endpoint: toOne("webhook-endpoint", callback.endpointId),
    },
  };
}

function renderAttempt(attempt: LoggedAttempt) {
  const { request } = attempt;
  return {
    number: attempt.number,
    time: formatTimestamp(attempt.attemptedAt),
    duration_ms: attempt.durationMs,
    status_code: attempt.statusCode,
    error: attempt.error,
    answer: attempt.answerHead,
    request:
      request === null
        ? null
        : { headers: request.headers, body: Buffer.from(request.body).toString() },
  };
}
