import { addressBlock } from "../../accounts/tokens/address-block.ts";
import type { CheckoutState } from "../../deposits/checkout/checkout-state.ts";
import type { PageWatch } from "../../deposits/checkout/watch-pages.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { pageIdOf } from "../jsonapi/page-id.ts";
import type { PlainAnswer, PlainRequest, PlainRoute } from "../server/plain-route.ts";
import type { StreamAnswer, StreamConnection } from "../server/stream-answer.ts";

/** Often enough that no proxy takes the connection for a dead one. */
const heartbeatMs = 15_000;
/** A page whose stream breaks comes back after this, and up to twice as long: not all of them at once. */
const reconnectMs = 2_000;
/** Seconds after which a page that found no place may try again; meanwhile it polls. */
const fullRetrySeconds = 60;

export type PageEventsContext = {
  readonly watch: PageWatch;
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: { readonly total: number; readonly perAddress: number };
};

/** The route, and what ends its streams when the server closes: their pages come back, to whichever api answers then. */
export type PageEvents = {
  readonly routes: readonly PlainRoute[];
  readonly openStreams: () => number;
  readonly close: () => void;
};

/** `GET /pay/{uuid}/events`: server-sent events, each the page's whole state with its version as id. */
export function paymentPageEvents(context: PageEventsContext): PageEvents {
  const places = createPlaces(context.limits);
  const open = new Set<StreamConnection>();
  let isClosed = false;
  let isBeating = false;
  const stopBeating = new AbortController();

  const beat = async (): Promise<void> => {
    isBeating = true;
    while (open.size > 0 && !isClosed) {
      for (const connection of open) connection.write(":\n\n");
      await context.clock.sleep(heartbeatMs, stopBeating.signal);
    }
    isBeating = false;
  };

  /** Takes the reader in before the head of the answer is out, so that a page that is none is answered as such. */
  const follow = async (request: PlainRequest, pageId: string): Promise<StreamAnswer> => {
    const reader = createReader();
    const { ip } = request;
    const unwatch = await context.watch.open(pageId, request.header("last-event-id"), reader.show);
    if (unwatch === null) return noPage();
    return {
      status: 200,
      contentType: "text/event-stream",
      headers: { "cache-control": "no-store" },
      stream: (connection) => {
        open.add(connection);
        connection.onClose(() => {
          open.delete(connection);
          unwatch();
          places.leave(ip);
        });
        const wait = reconnectMs + Math.floor(context.random.fraction() * reconnectMs);
        connection.write(`retry: ${wait}\n\n`);
        reader.join(connection);
        if (isClosed) connection.end();
        else if (!isBeating) void beat();
      },
    };
  };

  const route: PlainRoute = {
    kind: "plain",
    method: "GET",
    path: "/pay/{id}/events",
    throttle: "page",
    summary: "Stream the changes of a payment page",
    described: {
      description:
        "Server-sent events. The data of each is the page's whole state as JSON, its id the state's version. No token is needed.",
      tag: "payment-page",
      contentType: "text/event-stream",
      answer: { type: "string" },
      rows: ["notFound", "throttled", "serviceUnavailable"],
    },
    handle: async (request) => {
      const pageId = pageIdOf(request);
      if (pageId === null) return noPage();
      if (isClosed || !places.take(request.ip)) return fullAnswer();
      try {
        return await follow(request, pageId);
      } catch (error) {
        places.leave(request.ip);
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
      stopBeating.abort();
      for (const connection of open) connection.end();
    },
  };
}

/** What is shown before the connection is there waits for it. */
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
  return reject("notFound", "There is no such payment page.");
}

function eventOf(state: CheckoutState): string {
  return `id: ${state.version}\ndata: ${JSON.stringify(state)}\n\n`;
}

function fullAnswer(): PlainAnswer {
  return {
    status: 503,
    contentType: "text/plain; charset=utf-8",
    body: "No more streams are held open here; ask for the state instead.\n",
    headers: { "retry-after": String(fullRetrySeconds) },
  };
}

/** Counts the connections held, in all and by the network they come from. */
function createPlaces(limits: PageEventsContext["limits"]) {
  const byAddress = new Map<string, number>();
  let total = 0;
  return {
    take: (ip: string): boolean => {
      const block = addressBlock(ip);
      const held = byAddress.get(block) ?? 0;
      if (total >= limits.total || held >= limits.perAddress) return false;
      total += 1;
      byAddress.set(block, held + 1);
      return true;
    },
    leave: (ip: string): void => {
      const block = addressBlock(ip);
      const held = byAddress.get(block) ?? 0;
      total -= 1;
      if (held > 1) byAddress.set(block, held - 1);
      else byAddress.delete(block);
    },
  };
}
