import type { CheckoutState } from "../../../src/deposits/checkout/checkout-state.ts";
import type { Refusal } from "./call-server.ts";
import { retryDelayMs } from "./retry-delay.ts";

export type Connection = "live" | "reconnecting" | "offline";

/** When something was asked for: at which count of states, and by this device's clock. */
export type Asked = { readonly count: number; readonly atMs: number };

export type FollowerOptions = {
  readonly eventsUrl: string;
  /** Asks for the state and accepts it; null, or why there was none. */
  readonly loadState: () => Promise<Refusal | null>;
  readonly asked: () => Asked;
  /** `asked` is null for what was not asked for, but came. */
  readonly onState: (state: CheckoutState, asked: Asked | null) => void;
  readonly onConnection: (connection: Connection) => void;
  /** The page is not there any more. */
  readonly onGone: () => void;
  /** Nothing is to be expected from now on. */
  readonly isFinal: () => boolean;
  /** Which of the states that came is the newest is not known. */
  readonly isDoubtful: () => boolean;
};

/** How long a stream may take to open before the page asks by itself. */
const openPatienceMs = 8_000;
/** Between two questions where streams do not come through at all. */
const pollMs = 4_000;
/** Streams that never opened before the page asks only, and tries a stream again every so many questions. */
const streamFailuresMax = 3;
const pollsPerStream = 15;
/** A page hidden for longer may have been asleep with its device. */
const sleepMs = 30_000;

/**
 * Keeps the page up to date: by the stream of events, and by asking where that breaks or never opens. It ends when the
 * payment's state is final, and looks again whenever the page is shown, restored or online again.
 */
export class StateFollower {
  readonly #options: FollowerOptions;
  #stream: EventSource | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #failures = 0;
  #streamFailures = 0;
  #polls = 0;
  #isAsking = false;
  #isGone = false;
  #hiddenAt = 0;
  /** The service asked not to be asked before: by the time that passes, however this device's clock is set. */
  #notBefore = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Starts, and from then on follows the page's being shown, hidden for good, and online. */
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
    // An open stream would keep the page out of the browser's cache for going back.
    addEventListener("pagehide", () => {
      this.#close();
    });
    if (!this.#options.isFinal()) this.#open();
  }

  /** After a sleep the stream may look open and be dead. What the service asked to be spared is not asked for earlier. */
  #resume(isStreamDoubtful: boolean): void {
    if (this.#isGone) return;
    if (isStreamDoubtful) this.#close();
    this.#failures = 0;
    this.#streamFailures = 0;
    this.#askWhenAllowed();
  }

  /** Asks once more where it is not known which of the states that came is the newest. */
  settle(): void {
    if (!this.#isGone && this.#options.isDoubtful()) this.#askWhenAllowed();
  }

  /** Nothing is to be expected any more: the stream is given back. */
  rest(): void {
    if (!this.#options.isDoubtful()) this.#close();
  }

  #askWhenAllowed(): void {
    const spareMs = this.#notBefore - performance.now();
    if (spareMs <= 0) void this.#ask();
    else
      this.#after(spareMs, () => {
        void this.#ask();
      });
  }

  #open(): void {
    this.#close();
    const stream = new EventSource(this.#options.eventsUrl);
    this.#stream = stream;
    // The first event answers the question for the stream.
    let asked: Asked | null = this.#options.asked();
    this.#after(openPatienceMs, () => {
      this.#lose();
    });
    stream.addEventListener("open", () => {
      this.#clearTimer();
      this.#failures = 0;
      this.#streamFailures = 0;
      this.#options.onConnection("live");
    });
    const read = ({ data }: MessageEvent<string>): void => {
      this.#options.onState(JSON.parse(data) as CheckoutState, asked);
      asked = null;
      if (this.#options.isFinal() && !this.#options.isDoubtful()) this.#close();
    };
    stream.addEventListener("message", read);
    stream.addEventListener("state", read);
    stream.addEventListener("error", () => {
      this.#lose();
    });
  }

  /** The stream broke, or never opened: the page asks at once, and says so only when that fails, too. */
  #lose(): void {
    this.#close();
    this.#streamFailures += 1;
    this.#askWhenAllowed();
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const refusal = await this.#options.loadState();
    this.#isAsking = false;
    if (refusal === null) {
      this.#failures = 0;
      this.#options.onConnection("live");
      this.#goOn();
    } else if (refusal.kind === "gone") {
      this.#isGone = true;
      this.#close();
      this.#options.onGone();
    } else {
      this.#failures += 1;
      this.#notBefore = performance.now() + (refusal.retryAfterMs ?? 0);
      this.#options.onConnection(refusal.kind === "offline" ? "offline" : "reconnecting");
      this.#after(retryDelayMs(this.#failures, Math.random(), refusal.retryAfterMs), () => {
        void this.#ask();
      });
    }
  }

  #goOn(): void {
    if (this.#options.isDoubtful()) {
      void this.#ask();
      return;
    }
    if (this.#options.isFinal()) {
      this.#close();
      return;
    }
    if (this.#stream?.readyState === EventSource.OPEN) return;
    this.#polls += 1;
    if (this.#streamFailures < streamFailuresMax || this.#polls % pollsPerStream === 0) {
      // Not at once where it has just broken: a server that drops streams is not asked in a circle.
      this.#after(
        this.#streamFailures === 0 ? 0 : retryDelayMs(this.#streamFailures, 0, null),
        () => {
          this.#open();
        },
      );
    } else {
      this.#after(pollMs, () => {
        void this.#ask();
      });
    }
  }

  #after(delayMs: number, act: () => void): void {
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
