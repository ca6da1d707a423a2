import type { Event, Routes } from "./api-types.gen.ts";
import { pause } from "./pause.ts";
import type { PageResponse } from "./route-types.ts";
import { SluiceError, SluiceUnreachable } from "./sluice-error.ts";

export type FeedInput = {
  /** Number of the last processed event; default 0, the beginning. */
  readonly after?: number | string | undefined;
  /** Filters, such as by wallet or trigger. The numbers then have gaps. */
  readonly filter?: Omit<Routes["GET /event/"]["filter"], "after"> | undefined;
  /** False: stop after the newest event. Default true: wait for more. */
  readonly isFollowing?: boolean | undefined;
  /** Delay after a response without events, default 1 000. Grows up to `pollMaxMs` while there are none. */
  readonly pollMs?: number | undefined;
  /** Default 5 000. */
  readonly pollMaxMs?: number | undefined;
  /** Events per request, 1 to 100, default 100. */
  readonly pageSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

type ListEvents = (query: {
  readonly filter: Routes["GET /event/"]["filter"];
  readonly page: { readonly size: number };
  readonly signal: AbortSignal | undefined;
}) => Promise<PageResponse<Event>>;

const pageSizeMax = 100;

/** Longest delay after network or service failures. */
const failureMaxMs = 60_000;

/**
 * Iterates over every event after a number, in order and each once. Continues after network and service failures with growing delays;
 * throws permanent errors. Store `event.attributes.seq` in the transaction that processes the event, and continue from it after a
 * restart. Returns when the signal is aborted.
 */
export async function* followEvents(
  list: ListEvents,
  input: FeedInput = {},
): AsyncGenerator<Event, void, undefined> {
  const { filter, isFollowing = true, pollMs = 1_000, pollMaxMs = 5_000, signal } = input;
  // The service ignores a size out of range.
  const size = Math.min(pageSizeMax, Math.max(1, input.pageSize ?? pageSizeMax));
  let after = String(input.after ?? 0);
  let idleMs = pollMs;
  let failures = 0;
  const isAborted = (): boolean => signal?.aborted === true;
  while (!isAborted()) {
    try {
      const { data, next } = await list({ filter: { ...filter, after }, page: { size }, signal });
      failures = 0;
      for (const event of data) {
        yield event;
        after = event.id;
      }
      if (next !== null) continue;
      if (!isFollowing) return;
      idleMs = data.length > 0 ? pollMs : Math.min(pollMaxMs, idleMs * 1.5);
    } catch (error) {
      if (isAborted()) return;
      if (!isTemporary(error)) throw error;
      failures += 1;
      idleMs = Math.min(failureMaxMs, pollMs * 2 ** failures) * (0.5 + Math.random() / 2);
    }
    await pause(idleMs, signal).catch(() => undefined);
  }
}

/** Whether a retry may succeed. */
function isTemporary(error: unknown): boolean {
  if (error instanceof SluiceUnreachable) return true;
  return error instanceof SluiceError && (error.status === 429 || error.status >= 500);
}
