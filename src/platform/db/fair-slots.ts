import type { Caller } from "../kernel/caller.ts";
import type { Clock } from "../kernel/clock.ts";
import { Unavailable } from "../kernel/unavailable.ts";

type Waiting = {
  readonly key: string | null;
  readonly start: () => void;
};

type SlotOptions = {
  readonly clock: Clock;
  /** Slots in all. */
  readonly size: number;
  /** Slots that one caller may have at a time. */
  readonly perCaller: number;
  /** How long a call waits for a slot. */
  readonly patienceMs: number;
};

/**
 * Slots that callers share fairly: none has more than its share, and a free slot goes to the caller who has the fewest. The service's own
 * work (null) has no share and counts as one more caller.
 */
export class FairSlots {
  readonly #options: SlotOptions;
  readonly #taken = new Map<string | null, number>();
  readonly #waiting = new Set<Waiting>();
  #used = 0;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /**
   * Resolves with a function that gives the slot back. Rejects with `Unavailable` when none becomes free in time, or the caller is
   * gone.
   */
  async take(caller: Caller | null): Promise<() => void> {
    const key = caller?.key ?? null;
    if (caller?.signal.aborted === true) throw gone();
    if (this.#mayStart(key)) return this.#start(key);
    const over = new AbortController();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiting: Waiting = {
      key,
      start: () => {
        resolve(this.#start(key));
      },
    };
    const giveUp = (error: Error): void => {
      if (this.#waiting.delete(waiting)) reject(error);
    };
    const onAbort = (): void => {
      giveUp(gone());
    };
    this.#waiting.add(waiting);
    caller?.signal.addEventListener("abort", onAbort, { once: true });
    void this.#options.clock.sleep(this.#options.patienceMs, over.signal).then(() => {
      giveUp(new Unavailable("database", "every connection for long statements is in use"));
    });
    try {
      return await promise;
    } finally {
      over.abort();
      caller?.signal.removeEventListener("abort", onAbort);
    }
  }

  #mayStart(key: string | null): boolean {
    const taken = this.#taken.get(key) ?? 0;
    return this.#used < this.#options.size && (key === null || taken < this.#options.perCaller);
  }

  #start(key: string | null): () => void {
    this.#used += 1;
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#used -= 1;
      const left = (this.#taken.get(key) ?? 1) - 1;
      if (left === 0) this.#taken.delete(key);
      else this.#taken.set(key, left);
      this.#startNext();
    };
  }

  #startNext(): void {
    let next: Waiting | null = null;
    for (const waiting of this.#waiting) {
      if (!this.#mayStart(waiting.key)) continue;
      if (next === null || this.#count(waiting) < this.#count(next)) next = waiting;
    }
    if (next === null) return;
    this.#waiting.delete(next);
    next.start();
  }

  #count({ key }: Waiting): number {
    return this.#taken.get(key) ?? 0;
  }
}

function gone(): Unavailable {
  return new Unavailable("database", "the caller is gone");
}
