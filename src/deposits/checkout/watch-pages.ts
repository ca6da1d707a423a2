import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { CheckoutState } from "./checkout-state.ts";
import type { ReadCheckout } from "./read-checkout.ts";

/** Milliseconds between two looks at all open pages. */
const lookEveryMs = 500;
/** The key of no page: whatever is there differs from it. */
const unread = "";

export type WatchContext = {
  readonly read: ReadCheckout;
  /** Those pages, of the ones given with the key of what was read of them, that were written to since. */
  readonly findChanged: (known: ReadonlyMap<string, string>) => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly logger: Logger;
};

export type PageWatch = {
  /**
   * Shows a page's state at once, unless the reader has that version already, and again after each change, until the function
   * that is answered is called. Null: there is no such page.
   */
  readonly open: (
    pageId: string,
    knownVersion: string | null,
    show: (state: CheckoutState) => void,
  ) => Promise<(() => void) | null>;
  /** Looks no more. */
  readonly stop: () => void;
};

type Reader = { version: string | null; readonly show: (state: CheckoutState) => void };
type Watched = { key: string; changesAt: Instant | null; readonly readers: Set<Reader> };

/**
 * Follows the pages that are open in this process. One statement asks for all of them at once which were written to, every half
 * second and only while there are any; those are read, and shown where they look different. Nothing depends on having heard of a
 * change: what was missed while the database was away, or before somebody came, differs all the same at the next look.
 */
export function createPageWatch(context: WatchContext): PageWatch {
  const pages = new Map<string, Watched>();
  const stop = new AbortController();
  let isLooking = false;
  let hasFailed = false;

  const look = async (): Promise<void> => {
    const now = context.clock.now();
    const changed = await context.findChanged(
      new Map([...pages].map(([id, { key }]) => [id, key])),
    );
    const due = [...pages].filter(([, { changesAt }]) => changesAt !== null && changesAt <= now);
    const ids = new Set([...changed, ...due.map(([id]) => id)]);
    await Promise.all([...ids].map(refresh));
  };

  const refresh = async (pageId: string): Promise<void> => {
    const checkout = await context.read(pageId);
    const watched = pages.get(pageId);
    if (checkout === null || watched === undefined) return;
    watched.key = checkout.page.key;
    watched.changesAt = checkout.changesAt;
    for (const reader of watched.readers) show(reader, checkout.state);
  };

  const keepLooking = async (): Promise<void> => {
    isLooking = true;
    while (pages.size > 0 && !stop.signal.aborted) {
      try {
        await look();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed)
          context.logger.warn("open payment pages cannot be looked at, trying again", {
            error: errorMessage(error),
          });
        hasFailed = true;
      }
      await context.clock.sleep(lookEveryMs, stop.signal);
    }
    isLooking = false;
  };

  const close = (pageId: string, reader: Reader): void => {
    const watched = pages.get(pageId);
    watched?.readers.delete(reader);
    if (watched?.readers.size === 0) pages.delete(pageId);
  };

  return {
    open: async (pageId, knownVersion, showState) => {
      const checkout = await context.read(pageId);
      if (checkout === null) return null;
      const reader: Reader = { version: knownVersion, show: showState };
      const { page, changesAt } = checkout;
      const watched = pages.get(pageId) ?? { key: page.key, changesAt, readers: new Set() };
      // What others were shown meanwhile may be newer, or older: the next look shows all of them the same.
      if (watched.key !== page.key) watched.key = unread;
      pages.set(pageId, watched);
      watched.readers.add(reader);
      show(reader, checkout.state);
      if (!isLooking) void keepLooking();
      return () => {
        close(pageId, reader);
      };
    },
    stop: () => {
      stop.abort();
      pages.clear();
    },
  };
}

function show(reader: Reader, state: CheckoutState): void {
  if (reader.version === state.version) return;
  reader.version = state.version;
  reader.show(state);
}
