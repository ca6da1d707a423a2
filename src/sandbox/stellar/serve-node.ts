import type { IncomingMessage, ServerResponse } from "node:http";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { type LoopbackServer, readBody, serveLoopback } from "../loopback-server.ts";
import type { Answer } from "./horizon-answer.ts";
import { answerHorizon } from "./horizon-routes.ts";
import type { Ledger } from "./ledger.ts";
import { type Params, RpcFailure, rpcMethods } from "./rpc-methods.ts";

const bodyMax = 4 * 1024 * 1024;
const commandMax = 2_000;

/**
 * Serves stellar-rpc at `/rpc`, Horizon and friendbot at `/horizon`, and the control endpoint at `/sandbox/…`. Port 0: a free one.
 */
export function serveNode(
  port: number,
  { ledger, logger }: { readonly ledger: Ledger; readonly logger: Logger },
): Promise<LoopbackServer> {
  return serveLoopback(port, async (request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "127.0.0.1"}`);
    try {
      const body = request.method === "POST" ? await readBody(request, bodyMax) : null;
      const text = body?.toString("utf8") ?? "";
      const answer = await answerTo(ledger, request, url, text);
      send(response, answer ?? { status: 404, body: { error: "not found" } });
    } catch (error) {
      logger.error("the Stellar ledger failed", { path: url.pathname, error: errorMessage(error) });
      send(response, { status: 500, body: { error: errorMessage(error) } });
    }
  });
}

async function answerTo(
  ledger: Ledger,
  request: IncomingMessage,
  url: URL,
  text: string,
): Promise<Answer | null> {
  const { pathname } = url;
  if (pathname === "/rpc") return { status: 200, body: answerRpc(ledger, text, url.origin) };
  if (pathname.startsWith("/horizon"))
    return await answerHorizon(ledger, { method: request.method ?? "GET", url, text });
  if (!pathname.startsWith("/sandbox/") || request.method !== "POST") return null;
  return await command(ledger, pathname.slice("/sandbox".length), text);
}

function answerRpc(ledger: Ledger, text: string, origin: string): unknown {
  let call: { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown };
  try {
    call = JSON.parse(text) as typeof call;
  } catch {
    return { jsonrpc: "2.0", id: null, error: { code: -32_700, message: "parse error" } };
  }
  const head = { jsonrpc: "2.0", id: call.id ?? null };
  const name = String(call.method);
  const method = Object.hasOwn(rpcMethods, name) ? rpcMethods[name] : undefined;
  if (method === undefined)
    return { ...head, error: { code: -32_601, message: `method not found: ${name}` } };
  try {
    const params = (call.params ?? {}) as Params;
    return { ...head, result: method(ledger, params, `${origin}/horizon/friendbot`) };
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    return { ...head, error: { code: error.code, message: error.message } };
  }
}

/** What the sandbox and tests do with the ledger, outside the node's protocol. */
async function command(ledger: Ledger, path: string, text: string): Promise<Answer | null> {
  const body = (text === "" ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>>;
  const wrong = (name: string): Answer => ({
    status: 400,
    body: { error: `${name} must be a whole number from 0 to 86400` },
  });
  if (path === "/mine") {
    const blocks = body["blocks"] ?? 1;
    const seconds = body["seconds"] ?? 0;
    if (!isCount(blocks, commandMax)) return wrong("blocks");
    if (!isCount(seconds, 86_400)) return wrong("seconds");
    ledger.skip(seconds);
    const { sequence } = await ledger.close(blocks);
    return { status: 200, body: { sequence } };
  }
  if (path === "/forget") {
    const before = body["before"];
    if (!isCount(before, 2 ** 32 - 1)) return wrong("before");
    ledger.forget(before);
    return { status: 200, body: {} };
  }
  if (path !== "/swallow-broadcasts") return null;
  const count = body["count"];
  if (!isCount(count, commandMax)) return wrong("count");
  ledger.swallow(count);
  return { status: 200, body: {} };
}

function isCount(value: unknown, max: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max;
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
