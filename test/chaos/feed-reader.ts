import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { ApiClient } from "./api-client.ts";

/** What a reader of the event feed has seen, in order. */
export type SeenEvent = {
  readonly seq: number;
  readonly trigger: string;
  readonly objectId: string;
  readonly transferId: string | null;
};

/**
 * Reads the feed during the run like a merchant who stores the last sequence number: the checks look for numbers that are
 * missing, repeated or changed.
 */
export async function readFeed(
  client: ApiClient,
  seen: SeenEvent[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const page = await client.eventsAfter(seen.at(-1)?.seq ?? 0, signal);
    for (const { attributes } of page ?? []) {
      seen.push({
        seq: Number(attributes["seq"]),
        trigger: String(attributes["trigger"]),
        objectId: String(attributes["object_id"]),
        transferId: attributes["transfer_id"] as string | null,
      });
    }
    if ((page ?? []).length < 100) await systemClock.sleep(300, signal);
  }
}
