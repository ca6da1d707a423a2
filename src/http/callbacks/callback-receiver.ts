import { listReceivers } from "../../callbacks/read-callbacks.ts";
import type { Receiver } from "../../callbacks/receiver.ts";
import { receiverFilters, receiverSort } from "../../callbacks/receiver-filters.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  described,
  integer,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { listRoute, type Route } from "../server/route.ts";

const states = [
  { value: "working", name: "callbacks are sent as they come due" },
  { value: "stopped", name: "nothing is sent until open_until" },
  { value: "trying", name: "one delivery is sent to probe it" },
] as const;

const receiverResource = defineResource({
  type: "callback-receiver",
  description:
    "A host that receives callbacks and has failed before; its id is the host. After too many consecutive failures, deliveries to it pause. A manually resent delivery is sent anyway, and its success ends the pause.",
  attributes: {
    host: described(text, "Includes the port unless it is the scheme's default."),
    state: oneOf(states),
    consecutive_failures: integer,
    open_until: described(nullable(timestamp), "End of the pause."),
    failing_since: nullable(timestamp),
    waiting: described(integer, "Number of callbacks waiting for this receiver."),
    updated_at: timestamp,
  },
  filters: receiverFilters,
  sortable: receiverSort,
  defaultSort: "-updated_at",
});

/** `GET /callback-receiver/`: receivers that have failed, and how long deliveries to them pause. */
export function callbackReceiverRoutes(deps: {
  readonly db: Database;
  readonly clock: Clock;
}): readonly Route[] {
  return [
    listRoute({
      path: "/callback-receiver/",
      summary: "List receivers that have failed",
      description: "Members who see only granted wallets get an empty list.",
      resource: receiverResource,
      list: async ({ principal }, query) => {
        const now = deps.clock.now();
        return mapPage(await listReceivers(deps.db, principal, query), (receiver) =>
          renderReceiver(receiver, now),
        );
      },
    }),
  ];
}

function renderReceiver(receiver: Receiver, now: Instant): ResourceOf<typeof receiverResource> {
  const { openUntil } = receiver;
  return {
    type: "callback-receiver",
    id: receiver.host,
    attributes: {
      host: receiver.host,
      state: openUntil === null ? "working" : openUntil > now ? "stopped" : "trying",
      consecutive_failures: receiver.consecutiveFailures,
      open_until: formatTimestampOrNull(openUntil),
      failing_since: formatTimestampOrNull(receiver.failingSince),
      waiting: receiver.waiting,
      updated_at: formatTimestamp(receiver.updatedAt),
    },
    relationships: {},
  };
}
