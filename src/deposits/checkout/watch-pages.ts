import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { CheckoutState } from "./checkout-state.ts";
import type { ReadCheckout } from "./read-checkout.ts";

/** Interval between two checks of all open pages. */
const intervalMs = 500;
/** A key that no page has, so the next check reports the page as changed. */
const unread = "";

export type PageWatchContext = {
  readonly read: ReadCheckout;
  /** Lists the pages whose key differs from the given one. */
  readonly listChanged: (known: ReadonlyMap<string, string>) => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly logger: Logger;
};

export type PageWatch = {
  /**
   * Shows a page's state at once, unless the reader already has that version, and again after each change, until the returned
   * function is called. Returns null if the page does not exist.
   */
  readonly subscribe: (
    pageId: string,
    knownVersion: string | null,
    show: (state: CheckoutState) => void,
  ) => Promise<(() => void) | null>;
  /** Ends all subscriptions. */
  readonly stop: () => void;
};

type Reader = { version: string | null; readonly show: (state: CheckoutState) => void };
type Watched = { key: string; changesAt: Instant | null; readonly readers: Set<Reader> };

/**
 * Watches the pages that are open in this process. Every half second, and only while pages are open, one statement lists those
 * that changed; they are read and shown if their state differs. The comparison is with stored keys rather than notifications, so
 * changes during a database outage are found by the next check.
 */
export function createPageWatch(context: PageWatchContext): PageWatch {
  const pages = new Map<string, Watched>();
  const stop = new AbortController();
  let isChecking = false;
  let hasFailed = false;

  const check = async (): Promise<void> => {
    const now = context.clock.now();
    const changed = await context.listChanged(
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

  const checkRepeatedly = async (): Promise<void> => {
    isChecking = true;
    while (pages.size > 0 && !stop.signal.aborted) {
      try {
        await check();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed)
          context.logger.warn("cannot check open payment pages for changes, retrying", {
            error: errorMessage(error),
          });
        hasFailed = true;
      }
      await context.clock.sleep(intervalMs, stop.signal);
    }
    isChecking = false;
  };

  const close = (pageId: string, reader: Reader): void => {
    const watched = pages.get(pageId);
    watched?.readers.delete(reader);
    if (watched?.readers.size === 0) pages.delete(pageId);
  };

  return {
    subscribe: async (pageId, knownVersion, showState) => {
      const checkout = await context.read(pageId);
      if (checkout === null) return null;
      const reader: Reader = { version: knownVersion, show: showState };
      const { page, changesAt } = checkout;
      const watched = pages.get(pageId) ?? { key: page.key, changesAt, readers: new Set() };
      // Other readers may have seen a newer or older state; the next check brings all of them to the same one.
      if (watched.key !== page.key) watched.key = unread;
      pages.set(pageId, watched);
      watched.readers.add(reader);
      show(reader, checkout.state);
      if (!isChecking) void checkRepeatedly();
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
