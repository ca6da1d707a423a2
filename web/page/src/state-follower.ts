import type { CheckoutState } from "../../../src/deposits/checkout/checkout-state.ts";
import { retryDelayMs } from "./retry-delay.ts";
import type { Refusal } from "./server-client.ts";

export type Connection = "live" | "reconnecting" | "offline";

/** When a request was sent: by the count of states received so far, and by this device's clock. */
export type RequestMark = { readonly count: number; readonly atMs: number };

export type FollowerOptions = {
  readonly eventsUrl: string;
  /** Requests the state and accepts it; returns why it could not, or null. */
  readonly loadState: () => Promise<Refusal | null>;
  readonly markRequest: () => RequestMark;
  /** `mark` is null for a state that was pushed without a request. */
  readonly onState: (state: CheckoutState, mark: RequestMark | null) => void;
  readonly onConnection: (connection: Connection) => void;
  /** The payment page no longer exists. */
  readonly onGone: () => void;
  /** No further changes are expected. */
  readonly isFinal: () => boolean;
  /** The order of the received states is unknown. */
  readonly needsReload: () => boolean;
};

/** Time for a stream to open before the page polls instead. */
const openTimeoutMs = 8_000;
/** Interval between polls when streams do not work. */
const pollMs = 4_000;
/** After this many failed streams the page polls, and retries a stream once per `pollsPerStream` polls. */
const streamFailuresMax = 3;
const pollsPerStream = 15;
/** A page hidden for longer than this may have been suspended with its device. */
const sleepMs = 30_000;

/**
 * Keeps the page up to date through server-sent events, and through polling where streams break or never open. Stops when the
 * payment's state is final. Reloads the state when the page becomes visible, is restored from the cache or comes online.
 */
export class StateFollower {
  readonly #options: FollowerOptions;
  #stream: EventSource | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #failures = 0;
  #streamFailures = 0;
  #polls = 0;
  #isLoading = false;
  #isGone = false;
  #hiddenAt = 0;
  /** Earliest next request as set by `Retry-After`, on the monotonic clock. */
  #notBefore = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Opens the stream and listens for visibility, restore and network events. */
  start(): void {
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.#hiddenAt = Date.now();
      else this.#resume(Date.now() - this.#hiddenAt > sleepMs);
    });
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted) this.#resume(true);
    });
    addEventListener("online", () => {
      this.#resume(true);
    });
    addEventListener("offline", () => {
      this.#options.onConnection("offline");
    });
    // An open stream would keep the page out of the browser's back/forward cache.
    addEventListener("pagehide", () => {
      this.#close();
    });
    if (!this.#options.isFinal()) this.#open();
  }

  /** Reloads the state where the order of the received states is unknown. */
  reloadIfNeeded(): void {
    if (!this.#isGone && this.#options.needsReload()) this.#loadWhenAllowed();
  }

  /** Closes the stream once no further changes are expected. */
  stop(): void {
    if (!this.#options.needsReload()) this.#close();
  }

  /** After a suspension a stream may look open and be dead. `Retry-After` still applies. */
  #resume(closeStream: boolean): void {
    if (this.#isGone) return;
    if (closeStream) this.#close();
    this.#failures = 0;
    this.#streamFailures = 0;
    this.#loadWhenAllowed();
  }

  #loadWhenAllowed(): void {
    const waitMs = this.#notBefore - performance.now();
    if (waitMs <= 0) void this.#load();
    else this.#scheduleLoad(waitMs);
  }

  #open(): void {
    this.#close();
    const stream = new EventSource(this.#options.eventsUrl);
    this.#stream = stream;
    // The first event is the response to opening the stream.
    let mark: RequestMark | null = this.#options.markRequest();
    this.#schedule(openTimeoutMs, () => {
      this.#onStreamFailure();
    });
    stream.addEventListener("open", () => {
      this.#clearTimer();
      this.#failures = 0;
      this.#streamFailures = 0;
      this.#options.onConnection("live");
    });
    const read = ({ data }: MessageEvent<string>): void => {
      this.#options.onState(JSON.parse(data) as CheckoutState, mark);
      mark = null;
      if (this.#options.isFinal() && !this.#options.needsReload()) this.#close();
    };
    stream.addEventListener("message", read);
    stream.addEventListener("state", read);
    stream.addEventListener("error", () => {
      this.#onStreamFailure();
    });
  }

  /** Polls once before the page reports a lost connection. */
  #onStreamFailure(): void {
    this.#close();
    this.#streamFailures += 1;
    this.#loadWhenAllowed();
  }

  async #load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const refusal = await this.#options.loadState();
    this.#isLoading = false;
    if (refusal === null) {
      this.#failures = 0;
      this.#options.onConnection("live");
      this.#continue();
    } else if (refusal.kind === "gone") {
      this.#isGone = true;
      this.#close();
      this.#options.onGone();
    } else {
      this.#failures += 1;
      this.#notBefore = performance.now() + (refusal.retryAfterMs ?? 0);
      this.#options.onConnection(refusal.kind === "offline" ? "offline" : "reconnecting");
      this.#scheduleLoad(retryDelayMs(this.#failures, Math.random(), refusal.retryAfterMs));
    }
  }

  #continue(): void {
    if (this.#options.needsReload()) {
      void this.#load();
      return;
    }
    if (this.#options.isFinal()) {
      this.#close();
      return;
    }
    if (this.#stream?.readyState === EventSource.OPEN) return;
    this.#polls += 1;
    if (this.#streamFailures < streamFailuresMax || this.#polls % pollsPerStream === 0) {
      // A server that drops streams must not be asked in a tight loop.
      const delayMs = this.#streamFailures === 0 ? 0 : retryDelayMs(this.#streamFailures, 0, null);
      this.#schedule(delayMs, () => {
        this.#open();
      });
    } else this.#scheduleLoad(pollMs);
  }

  #scheduleLoad(delayMs: number): void {
    this.#schedule(delayMs, () => {
      void this.#load();
    });
  }

  #schedule(delayMs: number, act: () => void): void {
    this.#clearTimer();
    this.#timer = setTimeout(act, delayMs);
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #close(): void {
    this.#clearTimer();
    this.#stream?.close();
    this.#stream = null;
  }
}
