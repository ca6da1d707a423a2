import type { IncomingMessage, ServerResponse } from "node:http";
import type { RawData, WebSocket } from "ws";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import {
  type LoopbackServer,
  messageText,
  readBody,
  serveLoopbackSockets,
} from "../loopback-server.ts";
import { answerRequest } from "./answer-request.ts";
import { type Control, WrongCommand } from "./control.ts";
import type { Node } from "./node.ts";
import { createSubscriptions } from "./subscriptions.ts";

type Served = { readonly node: Node; readonly control: Control; readonly logger: Logger };

const bodyMax = 1024 * 1024;

/**
 * Serves rippled's methods on the loopback interface, over JSON-RPC (HTTP) and WebSocket at the same port, and the control endpoint at
 * `/sandbox/…`. Port 0: a free one; rejects if the port is taken.
 */
export function serveNode(port: number, served: Served): Promise<LoopbackServer> {
  return serveLoopbackSockets(port, (request, response) => answerHttp(served, request, response), {
    messageMax: bodyMax,
    serveSocket: (socket) => {
      serveSocket(served, socket);
    },
  });
}

async function answerHttp(
  served: Served,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const send = (status: number, body: JsonObject): void => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(`${JSON.stringify(body)}\n`);
  };
  try {
    if (request.method !== "POST") send(405, { error: "POST is expected" });
    else if (pathname.startsWith("/sandbox/")) {
      const body = objectIn(await readText(request), {});
      const answer = await served.control(pathname.slice("/sandbox".length), body);
      send(answer === null ? 404 : 200, answer ?? { error: "Not Found" });
    } else send(200, await answerRpc(served.node, objectIn(await readText(request))));
  } catch (error) {
    if (error instanceof WrongCommand || error instanceof SyntaxError)
      send(400, { error: errorMessage(error) });
    else {
      served.logger.error("the XRP Ledger failed", { path: pathname, error: errorMessage(error) });
      send(500, { error: errorMessage(error) });
    }
  }
}

async function answerRpc(node: Node, { method, params }: JsonObject): Promise<JsonObject> {
  const first: unknown = Array.isArray(params) ? params[0] : undefined;
  const members = isObject(first) ? first : {};
  const result = await answerRequest(node, nameIn(method), members);
  const request = result["status"] === "error" ? { request: { command: method, ...members } } : {};
  return { result: { ...result, ...request } as JsonObject };
}

function serveSocket({ logger, node }: Served, socket: WebSocket): void {
  const subscriptions = createSubscriptions(node);
  const send = (message: JsonObject): void => {
    socket.send(JSON.stringify(message));
  };
  const stop = node.ledger.onClose((ledger) => {
    for (const message of subscriptions.messagesFor(ledger)) send(message);
  });
  socket.on("close", stop);
  socket.on("error", stop);
  const answer = async (request: JsonObject): Promise<JsonObject> => {
    const { command, id = null, ...params } = request;
    const named = id === null ? {} : { id };
    const result: JsonObject =
      command === "subscribe" || command === "unsubscribe"
        ? { ...subscriptions.change(command, params), status: "success" }
        : await answerRequest(node, nameIn(command), params);
    const { status, ...members } = result;
    return status === "error"
      ? { ...named, ...members, request, status, type: "response" }
      : { ...named, result: members, status: "success", type: "response" };
  };
  socket.on("message", (data: RawData) => {
    void (async () => {
      try {
        send(await answer(objectIn(messageText(data))));
      } catch (error) {
        if (!(error instanceof SyntaxError))
          logger.error("the XRP Ledger failed", { error: errorMessage(error) });
        send({ error: "jsonInvalid", type: "error", value: messageText(data) });
      }
    })();
  });
}

async function readText(request: IncomingMessage): Promise<string> {
  const bytes = await readBody(request, bodyMax);
  if (bytes === null) throw new SyntaxError("the body is too large");
  return bytes.toString("utf8");
}

/** A method's name; an empty one is unknown. */
function nameIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Throws `SyntaxError` unless the text is a JSON object; `absent` stands for an empty text. */
function objectIn(text: string, absent?: JsonObject): JsonObject {
  if (text === "" && absent !== undefined) return absent;
  const value = JSON.parse(text) as unknown;
  if (!isObject(value)) throw new SyntaxError("an object is expected");
  return value;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
