import type { Event, Routes } from "./api-types.gen.ts";
import { pause } from "./pause.ts";
import type { PageAnswer } from "./route-types.ts";
import { SluiceError, SluiceUnreachable } from "./sluice-error.ts";

export type FeedInput = {
  /** Number of the last event that you have dealt with; default 0, the beginning. */
  readonly after?: number | string | undefined;
  /** Fewer events: of one wallet, of one trigger. Numbers then have gaps. */
  readonly filter?: Omit<Routes["GET /event/"]["filter"], "after"> | undefined;
  /** False: ends when everything that has happened was told. Default true: waits for more. */
  readonly isFollowing?: boolean | undefined;
  /** How long it waits after an answer without events; default 1 000, and longer the longer nothing happens. */
  readonly pollMs?: number | undefined;
  /** Default 5 000. */
  readonly pollMaxMs?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

type ListEvents = (query: {
  readonly filter: Routes["GET /event/"]["filter"];
  readonly page: { readonly size: number };
  readonly signal: AbortSignal | undefined;
}) => Promise<PageAnswer<Event>>;

/** The longest pause after failures of the network or of the service. */
const failureMaxMs = 60_000;

/**
 * Every event after a number, in order, each once. It goes on over failures of the network and of the service, with longer and
 * longer pauses, and throws what is refused for good. Keep `event.attributes.seq` in the transaction that deals with the event:
 * it is where the next run goes on. Ends quietly when the signal is aborted.
 */
export async function* followEvents(
  list: ListEvents,
  input: FeedInput = {},
): AsyncGenerator<Event, void, undefined> {
  const { filter, isFollowing = true, pollMs = 1_000, pollMaxMs = 5_000, signal } = input;
  const size = input.pageSize ?? 100;
  let after = String(input.after ?? 0);
  let idleMs = pollMs;
  let failures = 0;
  const isOver = (): boolean => signal?.aborted === true;
  while (!isOver()) {
    try {
      const { data } = await list({ filter: { ...filter, after }, page: { size }, signal });
      failures = 0;
      for (const event of data) {
        yield event;
        after = event.id;
      }
      if (data.length === size) continue;
      if (!isFollowing) return;
      idleMs = data.length > 0 ? pollMs : Math.min(pollMaxMs, idleMs * 1.5);
    } catch (error) {
      if (isOver()) return;
      if (!isPassing(error)) throw error;
      failures += 1;
      idleMs = Math.min(failureMaxMs, pollMs * 2 ** failures) * (0.5 + Math.random() / 2);
    }
    await pause(idleMs, signal).catch(() => undefined);
  }
}

/** Whether it may be better later. */
function isPassing(error: unknown): boolean {
  if (error instanceof SluiceUnreachable) return true;
  return error instanceof SluiceError && (error.status === 429 || error.status >= 500);
}
