import { listReceivers } from "../../callbacks/list-receivers.ts";
import type { Receiver } from "../../callbacks/receiver.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import { containedText } from "../../platform/resources/filters.ts";
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
  { value: "working", name: "everything is sent as it comes" },
  { value: "stopped", name: "nothing is sent before open_until" },
  { value: "trying", name: "one delivery is sent to try it" },
] as const;

const receiverResource = defineResource({
  type: "callback-receiver",
  description:
    "A host that callbacks go to and that failed at some time; its id is the host. After too many failures in a row it is given a pause. A delivery resent by hand goes out all the same, and its success ends the pause.",
  attributes: {
    host: described(text, "With the port, where it is not the scheme's own."),
    state: oneOf(states),
    consecutive_failures: integer,
    open_until: described(nullable(timestamp), "End of the pause."),
    failing_since: nullable(timestamp),
    waiting: described(integer, "Callbacks that wait to be sent there."),
    updated_at: timestamp,
  },
  relationships: {},
  filters: {
    host: containedText(256),
    is_failing: { lookup: "exact", value: "boolean" },
  },
  sortable: ["host", "updated_at", "consecutive_failures"],
  defaultSort: "-updated_at",
});

/** `GET /callback-receiver/`: which receivers are given a pause, and until when. */
export function callbackReceiverRoutes(deps: {
  readonly db: Database;
  readonly clock: Clock;
}): readonly Route[] {
  return [
    listRoute({
      path: "/callback-receiver/",
      summary: "List receivers of callbacks that failed at some time",
      description: "For members who see all wallets; others see none.",
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
