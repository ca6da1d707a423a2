import { recordNotices } from "../../notifications/record-notices.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { type EventKey, type EventRow, insertEventRows } from "./events.store.ts";
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
  const distinct = new Map<string, NewEvent>();
  for (const event of events)
    if (!distinct.has(identityOf(event))) distinct.set(identityOf(event), event);
  const rows = [...distinct.values()].map((event) => eventRow(event, random));
  const inserted: EventKey[] = [];
  for (let from = 0; from < rows.length; from += rowsMax)
    inserted.push(...(await insertEventRows(tx, rows.slice(from, from + rowsMax))));
  await recordNoticesOf(
    tx,
    inserted.flatMap((key) => distinct.get(identityOf(key)) ?? []),
  );
  return inserted.length;
}

function identityOf({ accountId, key }: EventKey): string {
  return `${accountId} ${key}`;
}

async function recordNoticesOf(tx: Executor, events: readonly NewEvent[]): Promise<void> {
  const told = events.filter(({ notice }) => (notice ?? null) !== null);
  const [first] = told;
  if (first === undefined) return;
  await recordNotices(
    tx,
    told.flatMap(({ notice }) => notice ?? []),
    first.createdAt,
  );
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
