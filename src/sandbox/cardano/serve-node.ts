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
import { type Control, WrongCommand } from "./control.ts";
import { Hint } from "./kupo/hint.ts";
import { answerKupo, newestOf } from "./kupo/routes.ts";
import type { Node } from "./node.ts";
import { health } from "./ogmios/health.ts";
import { createSession } from "./ogmios/session.ts";
import { type Printable, printJson } from "./print-json.ts";

type Served = { readonly node: Node; readonly control: Control; readonly logger: Logger };

const bodyMax = 1024 * 1024;
const json = "application/json;charset=utf-8";
const text = "text/plain;charset=utf-8";

/**
 * Serves on the loopback interface, at one port: Ogmios over HTTP and WebSocket at `/`, Kupo at `/kupo/…`, and the control endpoint at
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

function serveSocket({ logger, node }: Served, socket: WebSocket): void {
  const session = createSession(node, logger, (answer) => {
    socket.send(answer);
  });
  socket.on("message", (data: RawData) => {
    void session.receive(messageText(data));
  });
  socket.on("close", session.close);
  socket.on("error", session.close);
}

async function answerHttp(
  served: Served,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const send = (status: number, body: Printable, headers: Record<string, string> = {}): void => {
    const isText = typeof body === "string";
    response.writeHead(status, { "content-type": isText ? text : json, ...headers });
    response.end(isText ? body : printJson(body));
  };
  try {
    if (url.pathname.startsWith("/sandbox/")) await command(served, request, url.pathname, send);
    else if (url.pathname.startsWith("/kupo/")) kupo(served, request, url, send);
    else await ogmios(served, request, response, url.pathname);
  } catch (error) {
    served.logger.error("the Cardano ledger failed", {
      path: url.pathname,
      error: errorMessage(error),
    });
    send(500, { error: errorMessage(error) });
  }
}

type Send = (status: number, body: Printable, headers?: Record<string, string>) => void;

/** One request for each POST, in a session of its own. */
async function ogmios(
  { logger, node }: Served,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const send = (status: number, content: string): void => {
    response.writeHead(status, { "content-type": json });
    response.end(content);
  };
  if (path === "/health" && request.method === "GET") {
    const { body, status } = health(node);
    send(status, printJson(body));
  } else if (path === "/" && request.method === "POST") {
    const body = (await readBody(request, bodyMax))?.toString("utf8") ?? "";
    const session = createSession(node, logger, (answer) => {
      send("error" in (JSON.parse(answer) as object) ? 400 : 200, answer);
      session.close();
    });
    response.on("close", session.close);
    await session.receive(body);
  } else send(path === "/" || path === "/health" ? 406 : 404, "");
}

function kupo({ node }: Served, request: IncomingMessage, url: URL, send: Send): void {
  const { accept = "", "if-none-match": known } = request.headers;
  const newest = newestOf(node);
  const headers = {
    "x-most-recent-checkpoint": String(newest?.slot ?? 0),
    ...(newest === null ? {} : { etag: newest.id }),
  };
  const path = url.pathname
    .split("/")
    .slice(2)
    .filter((part) => part !== "")
    .map(decodeURIComponent);
  if (newest !== null && known === newest.id && path[0] !== "health") {
    send(304, "", headers);
    return;
  }
  try {
    const method = request.method ?? "GET";
    const answer = answerKupo(node, { method, path, query: url.searchParams, accept });
    send(answer.status, answer.body, headers);
  } catch (error) {
    if (!(error instanceof Hint)) throw error;
    send(error.status, { hint: error.message }, headers);
  }
}

async function command(
  { control }: Served,
  request: IncomingMessage,
  path: string,
  send: Send,
): Promise<void> {
  if (request.method !== "POST") {
    send(405, { error: "POST is expected" });
    return;
  }
  try {
    const content = (await readBody(request, bodyMax))?.toString("utf8") ?? "";
    const body = (content === "" ? {} : JSON.parse(content)) as JsonObject;
    const answer = await control(path.slice("/sandbox".length), body);
    send(answer === null ? 404 : 200, answer ?? { error: "Not Found" });
  } catch (error) {
    if (!(error instanceof WrongCommand) && !(error instanceof SyntaxError)) throw error;
    send(400, { error: errorMessage(error) });
  }
}
