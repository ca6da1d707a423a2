import type { Executor } from "../../platform/db/database.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { type EventRow, insertEventRows } from "./events.store.ts";
import type { NewEvent } from "./new-event.ts";

/** Rows per statement: PostgreSQL does not know the length of the arrays and joins them in quadratic time. */
const rowsMax = 500;

/**
 * Records events in the transaction in which they happened, with a callback for each that has a valid callback URL, and for
 * each webhook endpoint that receives it. An event whose key the account already has is skipped, callback included. Returns the number of new events. The caller must hold
 * the row locks of the objects concerned, so that the events of one object are written in order.
 */
export async function recordEvents(
  tx: Executor,
  events: readonly NewEvent[],
  random: Random,
): Promise<number> {
  const rows = new Map<string, EventRow>();
  for (const event of events) {
    const identity = `${event.accountId} ${event.key}`;
    if (!rows.has(identity)) rows.set(identity, eventRow(event, random));
  }
  const all = [...rows.values()];
  let inserted = 0;
  for (let from = 0; from < all.length; from += rowsMax) {
    inserted += await insertEventRows(tx, all.slice(from, from + rowsMax));
  }
  return inserted;
}

function eventRow(event: NewEvent, random: Random): EventRow {
  // "callback_url of the deposit, if valid" (interface): an unparsable URL gets no callback.
  const url =
    event.callbackUrl !== null && URL.canParse(event.callbackUrl) ? event.callbackUrl : null;
  return {
    accountId: event.accountId,
    objectType: event.objectType,
    objectId: event.objectId,
    transferId: event.transferId,
    trigger: event.trigger,
    key: event.key,
    payload: JSON.stringify(event.payload),
    createdAt: formatTimestamp(event.createdAt),
    credentialId: event.credentialId,
    url,
    host: url === null ? null : new URL(url).host,
    webhookId: `msg_${Buffer.from(random.bytes(16)).toString("hex")}`,
    selector: event.endpoints === "selecting" ? `${event.objectType}.${event.trigger}` : null,
    endpointId: typeof event.endpoints === "object" ? (event.endpoints?.id ?? null) : null,
  };
}
