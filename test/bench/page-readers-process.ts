import { get, type IncomingMessage } from "node:http";

// A thousand browsers in a separate process: each holds the stream of one payment page and records when events arrive.

export type ReadersQuestion =
  /** Answers once each page has received its first state. */
  | { readonly kind: "open"; readonly origin: string; readonly pageIds: readonly string[] }
  /** Answers once this many events have arrived since the last request. */
  | { readonly kind: "await"; readonly count: number };

export type OpenedStreams = { readonly openedMs: number; readonly bytesPerPage: number };
/** When each page received an event, in milliseconds since 1970. */
export type ReadEvents = readonly { readonly pageId: string; readonly atMs: number }[];

let events: { pageId: string; atMs: number }[] = [];
let bytes = 0;
let awaited: { readonly count: number; readonly report: () => void } | null = null;

function noted(pageId: string): void {
  events.push({ pageId, atMs: performance.timeOrigin + performance.now() });
  if (awaited !== null && events.length >= awaited.count) {
    const { report } = awaited;
    awaited = null;
    report();
  }
}

function follow(origin: string, pageId: string): void {
  const onAnswer = (answer: IncomingMessage): void => {
    if (answer.statusCode !== 200) throw new Error(`a stream answered ${answer.statusCode ?? 0}`);
    answer.setEncoding("utf8");
    answer.on("data", (chunk: string) => {
      bytes += chunk.length;
      // The server writes each event at once, and it is far smaller than a socket buffer.
      if (chunk.includes("\ndata: ") || chunk.startsWith("id: ")) noted(pageId);
    });
    answer.on("close", () => {
      throw new Error("a stream was ended");
    });
  };
  get(`${origin}/pay/${pageId}/events`, { agent: false }, onAnswer);
}

process.on("message", (question: ReadersQuestion) => {
  if (question.kind === "await") {
    const report = (): void => {
      process.send?.(events satisfies ReadEvents);
      events = [];
    };
    if (events.length >= question.count) report();
    else awaited = { count: question.count, report };
    return;
  }
  const start = performance.now();
  const { origin, pageIds } = question;
  awaited = {
    count: pageIds.length,
    report: () => {
      const openedMs = performance.now() - start;
      process.send?.({ openedMs, bytesPerPage: bytes / pageIds.length } satisfies OpenedStreams);
      events = [];
    },
  };
  for (const pageId of pageIds) follow(origin, pageId);
});
