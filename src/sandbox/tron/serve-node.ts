import type { IncomingMessage, ServerResponse } from "node:http";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { type LoopbackServer, readBody, serveLoopback } from "../loopback-server.ts";
import { broadcastRoutes } from "./broadcast-routes.ts";
import { buildRoutes, callRoutes } from "./build-routes.ts";
import { type Control, WrongCommand } from "./control.ts";
import {
  isRecord,
  type Json,
  type JsonRecord,
  NodeException,
  parseJsonText,
  printJson,
  unreadable,
} from "./json.ts";
import type { Ledger, View } from "./ledger.ts";
import { priceRoutes, ruleRoutes } from "./node-info.ts";
import { accountRoutes, resourceRoutes } from "./read-accounts.ts";
import { chainRoutes, poolRoutes } from "./read-chain.ts";
import type { Routes } from "./routes.ts";
import { signatureRoutes } from "./signature-routes.ts";
import { Refusal } from "./transaction.ts";
import { MalformedMessage } from "./wire.ts";

const bodyMax = 4 * 1024 * 1024;

const solidRoutes: Routes = { ...chainRoutes, ...accountRoutes, ...callRoutes, ...priceRoutes };
const routes: Readonly<Record<View, Routes>> = {
  solid: solidRoutes,
  head: {
    ...solidRoutes,
    ...poolRoutes,
    ...resourceRoutes,
    ...buildRoutes,
    ...broadcastRoutes,
    ...signatureRoutes,
    ...ruleRoutes,
  },
};

/**
 * Serves java-tron's HTTP interface: `/wallet/…` and `/walletsolidity/…`, by POST with a JSON body or by GET with a query; and
 * the control endpoint at `/sandbox/…`. Port 0: a free one.
 */
export function serveNode(
  port: number,
  { ledger, control, logger }: { ledger: Ledger; control: Control; logger: Logger },
): Promise<LoopbackServer> {
  return serveLoopback(port, async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    try {
      const answer = url.pathname.startsWith("/sandbox/")
        ? await command(control, url.pathname.slice("/sandbox".length), request)
        : await answerNode(ledger, url, request);
      if (answer === null) send(response, 404, { Error: "Not Found" });
      else send(response, answer.status, answer.body);
    } catch (error) {
      logger.error("the TRON ledger failed", { path: url.pathname, error: errorMessage(error) });
      send(response, 500, { Error: errorMessage(error) });
    }
  });
}

type Answer = { readonly status: number; readonly body: Json };

function send(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { "content-type": "application/json" }).end(`${printJson(body)}\n`);
}

async function answerNode(
  ledger: Ledger,
  url: URL,
  request: IncomingMessage,
): Promise<Answer | null> {
  const [, api, name = "", ...rest] = url.pathname.split("/");
  if ((api !== "wallet" && api !== "walletsolidity") || rest.length > 0) return null;
  const view: View = api === "wallet" ? "head" : "solid";
  const route = Object.hasOwn(routes[view], name) ? routes[view][name] : undefined;
  if (route === undefined) return null;
  try {
    const body = request.method === "GET" ? readQuery(url) : await readJson(request);
    const visible = body["visible"] === true || body["visible"] === "true";
    return { status: 200, body: await route({ ledger, view, body, visible }) };
  } catch (error) {
    const exception = exceptionOf(error);
    if (exception === null) throw error;
    return { status: 200, body: { Error: `class ${exception}` } };
  }
}

/** What java-tron prints of an exception: its class and message; null for a fault of the ledger itself. */
function exceptionOf(error: unknown): string | null {
  if (error instanceof NodeException) return `${error.className} : ${error.message}`;
  if (error instanceof Refusal)
    return `org.tron.core.exception.ContractValidateException : ${error.message}`;
  if (error instanceof SyntaxError) return `org.tron.json.JSONException : ${error.message}`;
  if (error instanceof MalformedMessage)
    return `com.google.protobuf.InvalidProtocolBufferException : ${error.message}`;
  return null;
}

async function readJson(request: IncomingMessage): Promise<JsonRecord> {
  const bytes = await readBody(request, bodyMax);
  if (bytes === null)
    throw new NodeException("java.lang.Exception", `body size is too big, the limit is ${bodyMax}`);
  const text = bytes.toString("utf8");
  const body = text.trim() === "" ? {} : parseJsonText(text);
  if (!isRecord(body)) throw unreadable("Expected an object.");
  return body;
}

function readQuery(url: URL): JsonRecord {
  const query: Record<string, Json> = {};
  for (const [name, value] of url.searchParams)
    query[name] = value === "true" || value === "false" ? value === "true" : value;
  return query;
}

async function command(
  control: Control,
  path: string,
  request: IncomingMessage,
): Promise<Answer | null> {
  if (request.method !== "POST") return null;
  try {
    const body = await control(path, await readJson(request));
    return body === null ? null : { status: 200, body };
  } catch (error) {
    const faults = [WrongCommand, NodeException, SyntaxError];
    if (!faults.some((fault) => error instanceof fault)) throw error;
    return { status: 400, body: { error: errorMessage(error) } };
  }
}
