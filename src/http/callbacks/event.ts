import { objectTypes } from "../../callbacks/callback.ts";
import { listEvents, readEvent } from "../../callbacks/events/event-feed.ts";
import { eventFilters } from "../../callbacks/events/event-filters.ts";
import type { FeedEvent } from "../../callbacks/events/feed-event.ts";
import type { Executor } from "../../platform/db/database.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  described,
  integer,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { getRoute, listRoute, type Route } from "../server/route.ts";

const eventResource = defineResource({
  type: "event",
  description:
    "The content of callbacks as a feed, numbered per account without gaps and in an order that never changes. The number is the event's id.",
  attributes: {
    seq: described(integer, "The event's number, for filter[after]."),
    trigger: described(text, "What happened: status, confirmed, settled, reversed, ..."),
    object_type: oneOf(objectTypes),
    object_id: text,
    transfer_id: nullable(text),
    created_at: timestamp,
    payload: described(
      {
        type: "object",
        properties: { data: { type: "object" }, included: { type: "array" } },
        required: ["data", "included"],
      },
      "data and included of the callback.",
    ),
  },
  relationships: {
    wallet: { resource: "wallet", nullable: true },
    deposit: { resource: "deposit", nullable: true, description: "Null for a payout's event." },
  },
  filters: eventFilters,
});

/** `GET /event/` and `GET /event/{id}/`. */
export function eventRoutes(deps: { readonly db: Executor }): readonly Route[] {
  return [
    listRoute({
      path: "/event/",
      summary: "Read the feed of events",
      description:
        "Oldest first. Store the number of the last event you processed and pass it as filter[after]: you then miss no event, even after downtime.",
      resource: eventResource,
      list: async ({ principal }, query) =>
        mapPage(await listEvents(deps.db, principal, query), renderEvent),
    }),
    getRoute({
      path: "/event/{id}/",
      summary: "Get an event by its number",
      resource: eventResource,
      find: async ({ principal, id }) => {
        const event = await readEvent(deps.db, principal, id);
        return event === null ? null : renderEvent(event);
      },
    }),
  ];
}

function renderEvent(event: FeedEvent): ResourceOf<typeof eventResource> {
  return {
    type: "event",
    id: event.seq,
    attributes: {
      seq: Number(event.seq),
      trigger: event.trigger,
      object_type: event.objectType,
      object_id: event.objectId,
      transfer_id: event.transferId,
      created_at: formatTimestamp(event.createdAt),
      payload: event.payload,
    },
    relationships: {
      wallet: toOne("wallet", event.walletId),
      deposit: toOne("deposit", event.objectType === "deposit" ? event.objectId : null),
    },
  };
}
