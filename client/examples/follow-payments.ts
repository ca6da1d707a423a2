import type { Client } from "sluice-client";

/**
 * Processes every event after number `after`, then waits for more. `handle` must store the event's number in the transaction that
 * processes it, so that a restart neither misses nor repeats an event.
 */
export async function followPayments(
  client: Client,
  after: number,
  handle: (event: { seq: number; trigger: string; depositId: string }) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  for await (const { attributes } of client.events({ after, signal })) {
    const { seq, trigger, object_type, object_id } = attributes;
    if (object_type === "deposit") await handle({ seq, trigger, depositId: object_id });
  }
}
