import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../platform/kernel/clock.ts";
import { toDate } from "../platform/kernel/timestamp.ts";
import { readBody, serveLoopback } from "./loopback-server.ts";
import type { ReceivedDelivery, Receiver, ReceiverAnswer } from "./simulator.ts";
import { type ReceiverSecrets, verifyReceived } from "./verify-received.ts";

/** Callbacks that are kept for display. */
const keptMax = 100;
const bodyMax = 1024 * 1024;
/** Later than a sender's timeout of 15 seconds. */
const slowMs = 20_000;

export type CallbackReceiver = {
  readonly state: () => Receiver;
  readonly setAnswer: (answer: ReceiverAnswer) => void;
  /** Newest first. */
  readonly deliveries: () => readonly ReceivedDelivery[];
  readonly close: () => Promise<void>;
};

/**
 * Receives callbacks on the loopback interface, verifies both signatures, stores them for display and answers as configured,
 * so that failing receivers can be tested. Uses `port` if it is free, otherwise another one.
 */
export async function startCallbackReceiver(
  clock: Clock,
  secrets: ReceiverSecrets,
  port: number,
): Promise<CallbackReceiver & { readonly port: number }> {
  let answer: ReceiverAnswer = "ok";
  let count = 0;
  const kept: ReceivedDelivery[] = [];
  const stopped = new AbortController();
  const store = async (request: IncomingMessage, body: Buffer, planned: ReceiverAnswer) => {
    const verdict = await verifyReceived(
      secrets,
      { body, headers: request.headers },
      toDate(clock.now()),
    );
    count += 1;
    const webhookId = request.headers["webhook-id"];
    kept.unshift({
      id: String(count),
      at: clock.now(),
      answer: planned,
      webhookId: typeof webhookId === "string" ? webhookId : null,
      isGenuine: verdict.isGenuine,
      fault: verdict.isGenuine ? null : verdict.reason,
      ...(verdict.isGenuine
        ? { objectType: verdict.document.data.type, objectId: verdict.document.data.id }
        : { objectType: null, objectId: null }),
      body: body.toString("utf8"),
    });
    kept.splice(keptMax);
  };
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const planned = answer;
    const body = await readBody(request, bodyMax);
    if (request.method !== "POST" || body === null) {
      response.writeHead(body === null ? 413 : 405, { connection: "close" }).end();
      return;
    }
    await store(request, body, planned);
    await reply(planned, request, response, (delayMs) => clock.sleep(delayMs, stopped.signal));
  };
  const server = await serveLoopback(port, receive).catch(() => serveLoopback(0, receive));
  return {
    port: server.port,
    state: () => ({ url: `http://127.0.0.1:${server.port}/callback`, answer }),
    setAnswer: (next) => {
      answer = next;
    },
    deliveries: () => kept,
    close: () => {
      stopped.abort();
      return server.close();
    },
  };
}

async function reply(
  answer: ReceiverAnswer,
  request: IncomingMessage,
  response: ServerResponse,
  sleep: (delayMs: number) => Promise<void>,
): Promise<void> {
  if (answer === "closed") {
    request.socket.destroy();
    return;
  }
  if (answer === "slow") await sleep(slowMs);
  if (response.destroyed) return;
  response.writeHead(answer === "error" ? 500 : 200, { "content-type": "text/plain" });
  response.end(answer === "error" ? "The simulator is set to fail." : "");
}
