import type { Client } from "sluice-client";

/**
 * Deals with everything that happened after event number `after`, then waits for more. `keep` stores an event's number in the
 * transaction that deals with it, so that the next run goes on behind it: nothing is missed, and nothing is done twice.
 */
export async function followPayments(
  client: Client,
  after: number,
  keep: (event: { seq: number; trigger: string; depositId: string }) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  for await (const { attributes } of client.events({ after, signal })) {
    const { seq, trigger, object_type, object_id } = attributes;
    if (object_type === "deposit") await keep({ seq, trigger, depositId: object_id });
  }
}
