import { addressBlock } from "../../accounts/tokens/address-block.ts";
import type { CheckoutState } from "../../deposits/checkout/checkout-state.ts";
import type { PageWatch } from "../../deposits/checkout/watch-pages.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { Rejected, reject, rejection } from "../../platform/kernel/rejection.ts";
import { errorAnswer } from "../jsonapi/error-document.ts";
import { pageIdOf } from "../jsonapi/page-id.ts";
import { serializeDocument } from "../jsonapi/serialize.ts";
import { mediaType } from "../server/negotiate.ts";
import type { PlainAnswer, PlainRequest, PlainRoute } from "../server/plain-route.ts";
import type { StreamAnswer, StreamConnection } from "../server/stream-answer.ts";

/** Short enough that proxies do not close the connection as idle. */
const heartbeatMs = 15_000;
/** Reconnection delay; a random addition of up to the same length spreads reconnecting pages. */
const reconnectMs = 2_000;
/** Retry-After for pages rejected by the stream limit; they poll in the meantime. */
const fullRetrySeconds = 60;

export type PageEventsContext = {
  readonly watch: PageWatch;
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: { readonly total: number; readonly perAddress: number };
};

/** The route, and a function that ends its streams when the server closes. Their pages reconnect to any running api process. */
export type PageEvents = {
  readonly routes: readonly PlainRoute[];
  readonly openStreams: () => number;
  readonly close: () => void;
};

/** `GET /pay/{uuid}/events`: server-sent events with the page's full state as data and its version as id. */
export function paymentPageEvents(context: PageEventsContext): PageEvents {
  const slots = createSlots(context.limits);
  const open = new Set<StreamConnection>();
  let isClosed = false;
  let isHeartbeatRunning = false;
  const stopHeartbeat = new AbortController();

  const runHeartbeat = async (): Promise<void> => {
    isHeartbeatRunning = true;
    while (open.size > 0 && !isClosed) {
      for (const connection of open) connection.write(":\n\n");
      await context.clock.sleep(heartbeatMs, stopHeartbeat.signal);
    }
    isHeartbeatRunning = false;
  };

  /** Subscribes before the response headers are sent, so that an unknown page is answered with 404. */
  const subscribe = async (request: PlainRequest, pageId: string): Promise<StreamAnswer> => {
    const reader = createReader();
    const { ip } = request;
    const unsubscribe = await context.watch.subscribe(
      pageId,
      request.header("last-event-id"),
      reader.show,
    );
    if (unsubscribe === null) return noPage();
    return {
      status: 200,
      contentType: "text/event-stream",
      headers: { "cache-control": "no-store" },
      stream: (connection) => {
        open.add(connection);
        connection.onClose(() => {
          open.delete(connection);
          unsubscribe();
          slots.release(ip);
        });
        const wait = reconnectMs + Math.floor(context.random.fraction() * reconnectMs);
        connection.write(`retry: ${wait}\n\n`);
        reader.join(connection);
        if (isClosed) connection.end();
        else if (!isHeartbeatRunning) void runHeartbeat();
      },
    };
  };

  const route: PlainRoute = {
    kind: "plain",
    method: "GET",
    path: "/pay/{id}/events",
    throttle: "page",
    summary: "Stream changes of a payment page",
    described: {
      description:
        "Streams server-sent events. Each event's data is the page's full state as JSON; its id is the state's version. No token is needed.",
      tag: "payment-page",
      contentType: "text/event-stream",
      answer: { type: "string" },
      rows: ["notFound", "throttled", "serviceUnavailable"],
    },
    handle: async (request) => {
      const pageId = pageIdOf(request);
      if (pageId === null) return noPage();
      if (isClosed || !slots.acquire(request.ip)) return fullAnswer(request);
      try {
        return await subscribe(request, pageId);
      } catch (error) {
        slots.release(request.ip);
        throw error;
      }
    },
  };
  return {
    routes: [route],
    openStreams: () => open.size,
    close: () => {
      isClosed = true;
      context.watch.stop();
      stopHeartbeat.abort();
      for (const connection of open) connection.end();
    },
  };
}

/** Buffers the newest state until the connection is open. */
function createReader() {
  let connection: StreamConnection | null = null;
  let waiting: CheckoutState | null = null;
  return {
    show: (state: CheckoutState): void => {
      if (connection === null) waiting = state;
      else connection.write(eventOf(state));
    },
    join: (joined: StreamConnection): void => {
      connection = joined;
      if (waiting !== null) joined.write(eventOf(waiting));
      waiting = null;
    },
  };
}

function noPage(): never {
  return reject("notFound", "This payment page does not exist.");
}

function eventOf(state: CheckoutState): string {
  return `id: ${state.version}\ndata: ${JSON.stringify(state)}\n\n`;
}

function fullAnswer({ requestId }: PlainRequest): PlainAnswer {
  const detail = "Too many streams are open. Poll the page's state instead.";
  const full = new Rejected(rejection("serviceUnavailable", detail));
  const { status, body } = errorAnswer(full, requestId);
  return {
    status,
    contentType: mediaType,
    body: serializeDocument(body),
    headers: { "retry-after": String(fullRetrySeconds) },
  };
}

/** Limits open connections in total and per client network. */
function createSlots(limits: PageEventsContext["limits"]) {
  const byAddress = new Map<string, number>();
  let total = 0;
  return {
    acquire: (ip: string): boolean => {
      const block = addressBlock(ip);
      const held = byAddress.get(block) ?? 0;
      if (total >= limits.total || held >= limits.perAddress) return false;
      total += 1;
      byAddress.set(block, held + 1);
      return true;
    },
    release: (ip: string): void => {
      const block = addressBlock(ip);
      const held = byAddress.get(block) ?? 0;
      total -= 1;
      if (held > 1) byAddress.set(block, held - 1);
      else byAddress.delete(block);
    },
  };
}
