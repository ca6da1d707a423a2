import { randomUUID } from "node:crypto";
import { type Dispatcher, Pool } from "undici";
import { percentile } from "./measure.ts";

// A client in a separate process: keeps connections busy or sends at a steady rate, and times every answer.

export type LoadOrder = {
  readonly origin: string;
  readonly method: "GET" | "POST";
  /** Requested in turn. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in turn; if empty, requests have no body. */
  readonly bodies: readonly string[];
  /** A placeholder in headers and body that each request replaces with a new UUID; null if there is none. */
  readonly fresh: string | null;
  readonly status: number;
  readonly connections: number;
  /** Warm-up, not counted. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Loads on until this many requests are counted; absent: none. */
  readonly leastRequests?: number;
  /**
   * Requests per second, sent on schedule whatever happened to earlier ones, and timed from their scheduled time; null: each
   * connection sends as soon as it has its answer.
   */
  readonly rate: number | null;
};

export type LoadAnswer = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of this client. */
  readonly processorSeconds: number;
  /** The first unexpected answer; null if there was none. */
  readonly failure: string | null;
};

class Load {
  readonly #order: LoadOrder;
  readonly #pool: Pool;
  readonly #durationsMs: number[] = [];
  #sent = 0;
  #failure: string | null = null;
  #isCounting = false;
  #isOver = false;

  constructor(order: LoadOrder) {
    this.#order = order;
    this.#pool = new Pool(order.origin, { connections: order.connections, pipelining: 1 });
  }

  async run(): Promise<LoadAnswer> {
    const { connections, rate, seconds, warmUpSeconds, leastRequests = 0 } = this.#order;
    if (rate === null) {
      for (let index = 0; index < connections; index += 1) this.#loop();
    } else {
      this.#pace(rate);
    }
    await sleep(warmUpSeconds);
    const processor = process.cpuUsage();
    this.#isCounting = true;
    const start = performance.now();
    await sleep(seconds);
    while (this.#durationsMs.length < leastRequests && this.#failure === null) await sleep(0.1);
    this.#isCounting = false;
    const tookSeconds = (performance.now() - start) / 1000;
    const used = process.cpuUsage(processor);
    this.#isOver = true;
    await this.#pool.close();
    return {
      perSecond: this.#durationsMs.length / tookSeconds,
      p50Ms: percentile(this.#durationsMs, 0.5),
      p99Ms: percentile(this.#durationsMs, 0.99),
      processorSeconds: (used.user + used.system) / 1e6,
      failure: this.#failure,
    };
  }

  #loop(): void {
    if (this.#isOver) return;
    this.#send(performance.now(), () => {
      this.#loop();
    });
  }

  #pace(rate: number): void {
    const start = performance.now();
    let due = 0;
    const tick = (): void => {
      if (this.#isOver) return;
      for (const until = ((performance.now() - start) / 1000) * rate; due < until; due += 1) {
        this.#send(start + (due / rate) * 1000, () => undefined);
      }
      setTimeout(tick, 1);
    };
    tick();
  }

  /** Headers and body of the next request. */
  #next(): { readonly headers: LoadOrder["headers"]; readonly body: string | null } {
    const { headers, bodies, fresh } = this.#order;
    const body = bodies[this.#sent % bodies.length] ?? null;
    if (fresh === null) return { headers, body };
    const own = randomUUID();
    return {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replaceAll(fresh, own)]),
      ),
      body: body?.replaceAll(fresh, own) ?? null,
    };
  }

  #send(from: number, onEnd: () => void): void {
    const { paths, method, status } = this.#order;
    const path = paths[this.#sent % paths.length] ?? "/";
    const { headers, body } = this.#next();
    this.#sent += 1;
    let wrongStatus: number | null = null;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode) => {
        if (statusCode !== status) wrongStatus = statusCode;
      },
      onResponseData: (_controller, chunk) => {
        if (wrongStatus !== null) this.#failure ??= `${wrongStatus} ${chunk.toString()}`;
      },
      onResponseEnd: () => {
        if (this.#isCounting) this.#durationsMs.push(performance.now() - from);
        onEnd();
      },
      onResponseError: (_controller, error) => {
        this.#failure ??= error.message;
        onEnd();
      },
    };
    this.#pool.dispatch({ path, method, headers, body }, handler);
  }
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

process.on("message", (order: LoadOrder) => {
  void new Load(order).run().then((answer) => process.send?.(answer));
});
process.on("disconnect", () => process.exit());
