import type { IncomingMessage, ServerResponse } from "node:http";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { type LoopbackServer, readBody, serveLoopback } from "../loopback-server.ts";
import { runCommand, WrongCommand } from "./control.ts";
import { isObject } from "./json.ts";
import type { Ledger } from "./ledger.ts";
import { type Answer, answerJsonRpc, answerMethod } from "./v2/answer.ts";
import { answerV3 } from "./v3/answer.ts";

const bodyMax = 1024 * 1024;

/**
 * Serves toncenter's API v2 at `/api/v2` (`/jsonRPC` and a path for each method), its API v3 at `/api/v3`, and the control endpoint at
 * `/sandbox/…`, on the loopback interface. Port 0: a free one; rejects if the port is taken.
 */
export function serveNode(
  port: number,
  { ledger, logger }: { readonly ledger: Ledger; readonly logger: Logger },
): Promise<LoopbackServer> {
  return serveLoopback(port, async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    try {
      send(response, await answerTo(ledger, request, url));
    } catch (error) {
      if (error instanceof WrongCommand || error instanceof SyntaxError)
        send(response, { status: 400, body: { ok: false, error: errorMessage(error), code: 400 } });
      else {
        logger.error("the TON ledger failed", { path: url.pathname, error: errorMessage(error) });
        send(response, { status: 500, body: { ok: false, error: errorMessage(error), code: 500 } });
      }
    }
  });
}

async function answerTo(ledger: Ledger, request: IncomingMessage, url: URL): Promise<Answer> {
  const { pathname, searchParams } = url;
  const isPost = request.method === "POST";
  const sent = isPost ? await readJson(request) : null;
  if (pathname === "/api/v2/jsonRPC" || pathname === "/jsonRPC")
    return isPost ? await answerJsonRpc(ledger, sent) : notAllowed("method GET is not supported");
  if (pathname.startsWith("/api/v2/")) {
    const params = isPost && isObject(sent) ? sent : Object.fromEntries(searchParams);
    return await answerMethod(ledger, pathname.slice("/api/v2/".length), params);
  }
  if (pathname.startsWith("/api/v3/"))
    return await answerV3(ledger, pathname.slice("/api/v3/".length), { searchParams, sent });
  if (!pathname.startsWith("/sandbox/")) return { status: 404, body: { error: "Not Found" } };
  if (!isPost) return notAllowed("POST is expected");
  const body = isObject(sent) ? sent : {};
  const answer = await runCommand(ledger, pathname.slice("/sandbox".length), body);
  return { status: answer === null ? 404 : 200, body: answer ?? { error: "Not Found" } };
}

function notAllowed(error: string): Answer {
  return { status: 405, body: { ok: false, error, code: 405 } };
}

/** Throws `SyntaxError` for a text that is not JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBody(request, bodyMax);
  if (bytes === null) throw new SyntaxError("the body is too large");
  const text = bytes.toString("utf8");
  return text === "" ? {} : (JSON.parse(text) as unknown);
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
