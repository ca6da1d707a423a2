import type { IncomingMessage, ServerResponse } from "node:http";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { type LoopbackServer, readBody, serveLoopback } from "../loopback-server.ts";
import type { Control } from "./control.ts";
import { type Methods, parseJson, printJson, RpcFault, type RpcJson, rpcCode } from "./rpc.ts";

export type ServedLedger = {
  /** Basic authentication, `user:password`. */
  readonly credentials: string;
  readonly walletName: string;
  readonly methods: Methods;
  /** Answered at `/wallet/NAME`, and at `/` as the only wallet. */
  readonly walletMethods: Methods;
  readonly control: Control;
  readonly logger: Logger;
};

const bodyMax = 32 * 1024 * 1024;

/**
 * Serves a node's JSON-RPC over HTTP, single calls and batches, with the status codes of bitcoind's descendants; and the control
 * endpoint at `/sandbox/…`. Port 0: a free one.
 */
export function serveLedger(port: number, served: ServedLedger): Promise<LoopbackServer> {
  const wanted = `Basic ${Buffer.from(served.credentials).toString("base64")}`;
  return serveLoopback(port, async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    try {
      if (pathname.startsWith("/sandbox/"))
        await answerControl(served, pathname.slice("/sandbox".length), request, response);
      else if (request.method !== "POST")
        send(response, 405, "JSONRPC server handles only POST requests");
      else if (request.headers.authorization !== wanted) refuseLogin(response);
      else await answerRpc(served, pathname, request, response);
    } catch (error) {
      served.logger.error("the ledger failed", { path: pathname, error: errorMessage(error) });
      send(response, 500, errorMessage(error));
    }
  });
}

function refuseLogin(response: ServerResponse): void {
  response.writeHead(401, { "www-authenticate": 'Basic realm="jsonrpc"' }).end();
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(`${text}\n`);
}

type Reply = { readonly status: number; readonly body: RpcJson };

async function answerRpc(
  served: ServedLedger,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bytes = await readBody(request, bodyMax);
  if (bytes === null) {
    send(response, 413, "");
    return;
  }
  const hangUp = new AbortController();
  response.once("close", () => {
    hangUp.abort();
  });
  const call = (sent: unknown): Promise<Reply> => answerCall(served, path, sent, hangUp.signal);
  let sent: unknown;
  try {
    sent = parseJson(bytes.toString("utf8"));
  } catch {
    send(response, 500, printJson(failure(null, rpcCode.parse, "Parse error").body));
    return;
  }
  if (!Array.isArray(sent)) {
    const { body, status } = await call(sent);
    send(response, status, printJson(body));
    return;
  }
  const replies: RpcJson[] = [];
  for (const one of sent) replies.push((await call(one)).body);
  send(response, 200, printJson(replies));
}

async function answerCall(
  { logger, methods, walletMethods, walletName }: ServedLedger,
  path: string,
  sent: unknown,
  signal: AbortSignal,
): Promise<Reply> {
  const { id: sentId, method, params } = (sent ?? {}) as Readonly<Record<string, unknown>>;
  const id = typeof sentId === "number" || typeof sentId === "string" ? sentId : null;
  if (typeof method !== "string")
    return failure(id, rpcCode.invalidRequest, "Method must be a string");
  const given = params ?? [];
  if (!Array.isArray(given)) return failure(id, rpcCode.invalidRequest, "Params must be an array");
  const isWallet = Object.hasOwn(walletMethods, method);
  const found = isWallet
    ? walletMethods[method]
    : Object.hasOwn(methods, method)
      ? methods[method]
      : undefined;
  if (found === undefined) return failure(id, rpcCode.methodNotFound, "Method not found");
  const named = /^\/wallet\/(.*)$/.exec(path);
  if (isWallet && named !== null && decodeURIComponent(named[1] ?? "") !== walletName)
    return failure(id, rpcCode.walletNotFound, "Requested wallet does not exist or is not loaded");
  try {
    const result = await found(given, signal);
    return { status: 200, body: { result, error: null, id } };
  } catch (error) {
    if (error instanceof RpcFault) return failure(id, error.code, error.message);
    logger.error("the ledger failed", { method, error: errorMessage(error) });
    return failure(id, rpcCode.misc, errorMessage(error));
  }
}

function failure(id: string | number | null, code: number, message: string): Reply {
  const status =
    code === rpcCode.invalidRequest ? 400 : code === rpcCode.methodNotFound ? 404 : 500;
  return { status, body: { result: null, error: { code, message }, id } };
}

async function answerControl(
  { control }: ServedLedger,
  command: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = (await readBody(request, bodyMax))?.toString("utf8") ?? "";
  try {
    const body = text.trim() === "" ? {} : (parseJson(text) as Readonly<Record<string, unknown>>);
    const answer = request.method === "POST" ? await control(command, body) : null;
    if (answer === null) send(response, 404, printJson({ error: "Not Found" }));
    else send(response, 200, printJson(answer));
  } catch (error) {
    if (!(error instanceof RpcFault || error instanceof SyntaxError)) throw error;
    send(response, 400, printJson({ error: errorMessage(error) }));
  }
}
