import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { ApiClient } from "./api-client.ts";

/** What a reader of the event feed has seen, in its order. */
export type SeenEvent = {
  readonly seq: number;
  readonly trigger: string;
  readonly objectId: string;
  readonly transferId: string | null;
};

/**
 * Reads the feed all through the run as a merchant would who keeps the last number dealt with: a number that is left out,
 * comes twice or means something else later is for the checks to find.
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
