import { createHash } from "node:crypto";
import type { Delivery } from "./delivery.ts";
import type { Evidence, Finding } from "./finding.ts";

type EventRow = {
  readonly id: string;
  readonly seq: string | null;
  readonly event_key: string;
  readonly trigger: string;
  readonly object_type: string;
  readonly object_id: string;
  readonly transfer_id: string | null;
  readonly payload: { readonly data: unknown; readonly included: unknown };
};

type CallbackRow = {
  readonly id: string;
  readonly event_id: string;
  readonly object_type: string;
  readonly object_id: string;
  readonly webhook_id: string;
  readonly status: string;
};

/** In the feed without a callback: a receiver that only looks at amounts must not take it for a payment. */
const untold = ["dust", "misplaced", "refund_undone"];

/** Compares events and callbacks with the states they report, with the receiver's file and with a reader of the feed. */
export async function checkEvents(evidence: Evidence): Promise<readonly Finding[]> {
  const { sql } = evidence;
  const events = await sql<EventRow>(
    "select id, seq, event_key, trigger, object_type, object_id, transfer_id, payload from event order by seq",
  );
  const callbacks = await sql<CallbackRow>(
    "select id, event_id, object_type, object_id, webhook_id, status from callback order by object_type, object_id, id",
  );
  return [
    await recordedOnce(evidence, events),
    await calledBack(evidence, events, callbacks),
    delivered(evidence.deliveries, callbacks),
    unaltered(evidence.deliveries, callbacks, events),
    inOrder(evidence.deliveries, callbacks),
    gapFree(evidence, events),
  ];
}

/** Each change of a status, and each stage in each life of a transfer, is exactly one event. */
async function recordedOnce({ sql }: Evidence, events: readonly EventRow[]): Promise<Finding> {
  const faults = await sql<{ fault: string }>(
    `select 'deposit ' || d.id || ': ' || d.status_version || ' changes of status, ' || told.count || ' reported' as fault
     from deposit d cross join lateral (
       select count(*) from event e where e.object_type = 'deposit' and e.object_id = d.id and e.trigger = 'status') told
     where told.count <> d.status_version
     union all
     select 'transfer ' || t.id || ' is confirmed and was reported ' || told.count || ' times in its present life'
     from transfer t join deposit d on d.id = t.deposit_id cross join lateral (
       -- A deposit without confirmations is reported once, whatever happens to the block.
       select count(*) from event e where e.transfer_id = t.id and e.trigger = 'confirmed'
         and (d.confirmations_needed = 0 or e.event_key like '%:' || t.revision)) told
     where t.is_confirmed and t.disposition in ('credited', 'pending', 'unresolved')
       and (told.count < 1 or told.count > 1 and d.confirmations_needed is distinct from 0)
     union all
     select 'event ' || min(id) || ' exists ' || count(*) || ' times'
     from event group by object_type, object_id, transfer_id, trigger, event_key having count(*) > 1
     union all
     select 'transfer ' || t.id || ' was reported ' || told.count || ' times as ' || told.trigger || ' in ' || (t.revision + 1) || ' lives'
     from transfer t cross join lateral (
       select trigger, count(*) from event e where e.transfer_id = t.id and e.trigger in ('confirmed', 'settled')
       group by trigger) told
     where told.count > t.revision + 1`,
  );
  return {
    invariant: "each event is recorded once",
    checked: events.length,
    faults: faults.map(({ fault }) => fault),
  };
}

/** Exactly one callback for each event of an object with a URL. */
async function calledBack(
  { deposits, payouts }: Evidence,
  events: readonly EventRow[],
  callbacks: readonly CallbackRow[],
): Promise<Finding> {
  const known = [
    ...deposits.map(({ id, hasCallback }) => ({ name: `deposit ${id}`, hasCallback })),
    ...payouts.map(({ id, hasCallback }) => ({ name: `payout ${id}`, hasCallback })),
  ];
  const silent = new Set(known.filter(({ hasCallback }) => !hasCallback).map(({ name }) => name));
  const loud = new Set(known.filter(({ hasCallback }) => hasCallback).map(({ name }) => name));
  const perEvent = Map.groupBy(callbacks, ({ event_id }) => event_id);
  const faults = events.flatMap(({ id, object_type, object_id, trigger }) => {
    const count = perEvent.get(id)?.length ?? 0;
    const name = `${object_type} ${object_id}`;
    if (silent.has(name) || untold.includes(trigger)) {
      return count === 0 ? [] : [`event ${id} (${trigger}): ${count} callbacks, none requested`];
    }
    // A payment canceled before anything was reported is not reported.
    const mayBeSilent = trigger === "cancelled" || !loud.has(name);
    return count === 1 || (mayBeSilent && count === 0)
      ? []
      : [`event ${id} (${trigger} of ${name}): ${count} callbacks`];
  });
  const ids = new Set(callbacks.map(({ webhook_id }) => webhook_id));
  if (ids.size !== callbacks.length) faults.push("two callbacks have one webhook-id");
  return await Promise.resolve({
    invariant: "each event with a receiver has one callback, with its own webhook-id",
    checked: events.length,
    faults,
  });
}

function delivered(deliveries: readonly Delivery[], callbacks: readonly CallbackRow[]): Finding {
  const arrived = new Set(
    deliveries.filter(({ status }) => status === 200).map(({ webhookId }) => webhookId),
  );
  return {
    invariant: "each callback reached the receiver at least once",
    checked: callbacks.length,
    faults: callbacks
      .filter(({ status, webhook_id }) => status !== "delivered" || !arrived.has(webhook_id))
      .map(
        ({ id, status, webhook_id }) =>
          `callback ${id}: ${status}, received: ${arrived.has(webhook_id)}`,
      ),
  };
}

/** Whatever was delivered was recorded before, and says at each attempt what the event says. */
function unaltered(
  deliveries: readonly Delivery[],
  callbacks: readonly CallbackRow[],
  events: readonly EventRow[],
): Finding {
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const expected = new Map(
    callbacks.map(({ webhook_id, event_id }) => [webhook_id, digestOf(eventOf.get(event_id)!)]),
  );
  return {
    invariant: "only recorded callbacks were delivered",
    checked: deliveries.length,
    faults: deliveries
      .filter(({ webhookId, digest }) => expected.get(webhookId) !== digest)
      .map(({ webhookId, objectId }) =>
        expected.has(webhookId)
          ? `${webhookId} of ${objectId} differs from its event`
          : `${webhookId} of ${objectId} was delivered but not recorded`,
      ),
  };
}

function digestOf({ payload: { data, included } }: EventRow): string {
  return createHash("sha256")
    .update(JSON.stringify([data, included]))
    .digest("hex");
}

/** A callback is first sent only after the previous one of the same deposit or payout was accepted. */
function inOrder(deliveries: readonly Delivery[], callbacks: readonly CallbackRow[]): Finding {
  const firstSent = new Map<string, number>();
  const firstTaken = new Map<string, number>();
  deliveries.forEach(({ webhookId, status }, place) => {
    if (!firstSent.has(webhookId)) firstSent.set(webhookId, place);
    if (status === 200 && !firstTaken.has(webhookId)) firstTaken.set(webhookId, place);
  });
  const faults = callbacks.flatMap((callback, index) => {
    const before = callbacks[index - 1];
    const isOfOne =
      before?.object_type === callback.object_type && before.object_id === callback.object_id;
    if (!isOfOne) return [];
    const sent = firstSent.get(callback.webhook_id);
    const taken = firstTaken.get(before.webhook_id);
    return sent !== undefined && taken !== undefined && sent < taken
      ? [
          `callback ${callback.id} of ${callback.object_type} ${callback.object_id} overtook ${before.id}`,
        ]
      : [];
  });
  return {
    invariant: "callbacks of one deposit or payout arrive in order",
    checked: callbacks.length,
    faults,
  };
}

/** Numbered 1, 2, 3 and so on, and a reader during the run has seen exactly these. */
function gapFree({ feed }: Evidence, events: readonly EventRow[]): Finding {
  const faults = events.flatMap(({ id, seq }, index) =>
    seq === String(index + 1) ? [] : [`event ${id} has number ${seq} at position ${index + 1}`],
  );
  feed.forEach((seen, index) => {
    const event = events[index];
    if (
      seen.seq !== index + 1 ||
      seen.objectId !== event?.object_id ||
      seen.trigger !== event.trigger ||
      seen.transferId !== event.transfer_id
    ) {
      faults.push(`a reader saw number ${seen.seq} at position ${index + 1} as ${seen.trigger}`);
    }
  });
  if (feed.length !== events.length) {
    faults.push(`a reader saw ${feed.length} of ${events.length} events`);
  }
  return { invariant: "the feed has no gap and never changes", checked: events.length, faults };
}
