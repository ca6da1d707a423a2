import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { percentile } from "./measure.ts";

// Merchants' servers in a separate process: some answer 200 at once, some accept connections and never answer.

export type ReceiverQuestion =
  | { readonly kind: "open"; readonly healthy: number; readonly dead: number }
  /** Answers once this many callbacks have arrived since the last such request was answered. */
  | { readonly kind: "await"; readonly count: number };

export type ReceiverPorts = {
  readonly healthy: readonly number[];
  readonly dead: readonly number[];
};

export type ReceivedSummary = {
  readonly perSecond: number;
  /** From the event's creation to its arrival. */
  readonly p50DelayMs: number;
  readonly p99DelayMs: number;
};

let arrivals: { at: number; delayMs: number }[] = [];
let awaited: { readonly count: number } | null = null;

function reportIfComplete(): void {
  if (awaited === null || arrivals.length < awaited.count) return;
  const first = arrivals[0]?.at ?? 0;
  const last = arrivals.at(-1)?.at ?? 0;
  const delays = arrivals.map(({ delayMs }) => delayMs);
  process.send?.({
    perSecond: arrivals.length / ((last - first) / 1000),
    p50DelayMs: percentile(delays, 0.5),
    p99DelayMs: percentile(delays, 0.99),
  } satisfies ReceivedSummary);
  arrivals = [];
  awaited = null;
}

/** The deposit's label in the body is the event's creation time in Unix milliseconds. */
const createdAt = /"label":"(\d+(?:\.\d+)?)"/;

function startHealthy(): Server {
  return createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      response.writeHead(200).end();
      const now = performance.timeOrigin + performance.now();
      const [, created] = createdAt.exec(body) ?? [];
      arrivals.push({ at: now, delayMs: now - Number(created) });
      reportIfComplete();
    });
  });
}

function startDead(): Server {
  return createServer(() => undefined);
}

async function open(count: number, start: () => Server): Promise<readonly number[]> {
  return Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<number>((resolve) => {
          const server = start();
          server.keepAliveTimeout = 60_000;
          server.listen(0, "127.0.0.1", () => {
            resolve((server.address() as AddressInfo).port);
          });
        }),
    ),
  );
}

process.on("message", (question: ReceiverQuestion) => {
  if (question.kind === "await") {
    awaited = question;
    reportIfComplete();
    return;
  }
  void Promise.all([open(question.healthy, startHealthy), open(question.dead, startDead)]).then(
    ([healthy, dead]) => process.send?.({ healthy, dead } satisfies ReceiverPorts),
  );
});
process.on("disconnect", () => process.exit());
