import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { type LoopbackServer, readBody, serveLoopback } from "../loopback-server.ts";
import { type Answer, Fault, faultAnswer } from "./answer.ts";
import { type Control, WrongCommand } from "./control.ts";
import type { Node } from "./node.ts";
import { routes } from "./routes.ts";

type Served = {
  readonly node: Node;
  readonly control: Control;
  readonly token: string;
  readonly clock: Clock;
  readonly logger: Logger;
};

const bodyMax = 1024 * 1024;
/** How long `wait-for-block-after` waits at most. */
const waitMaxMs = 60_000;

/** Serves algod's interface, and the control endpoint at `/sandbox/…`. Port 0: a free one; rejects if the port is taken. */
export function serveNode(port: number, served: Served): Promise<LoopbackServer> {
  return serveLoopback(port, async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const path = pathname.length > 1 ? pathname.replace(/\/$/, "") : pathname;
    try {
      send(response, await answerTo(served, request, response, path, searchParams));
    } catch (error) {
      if (error instanceof Fault) {
        send(response, faultAnswer(error));
        return;
      }
      served.logger.error("the Algorand ledger failed", { path, error: errorMessage(error) });
      send(response, faultAnswer(new Fault(500, "internal failure")));
    }
  });
}

async function answerTo(
  served: Served,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: URLSearchParams,
): Promise<Answer> {
  const { clock, node, token } = served;
  const method = request.method ?? "GET";
  if (path.startsWith("/sandbox/")) return await command(served, request, path, method);
  const matching = routes.filter((route) => route.path.test(path));
  const route = matching.find((one) => one.method === method);
  if (route === undefined)
    throw matching.length === 0
      ? new Fault(404, "Not Found")
      : new Fault(405, "Method Not Allowed");
  if (route.isOpen !== true && tokenOf(request) !== token)
    throw new Fault(401, "Invalid API Token");
  const body = await readBody(request, bodyMax);
  if (body === null) throw new Fault(413, "Request Entity Too Large");
  const [, ...params] = route.path.exec(path) ?? [];
  const ending = new AbortController();
  const end = (): void => {
    ending.abort();
  };
  response.once("close", end);
  void clock.sleep(waitMaxMs, ending.signal).then(end, end);
  try {
    const decoded = params.map(decodeURIComponent);
    return await route.answer({
      node,
      params: decoded,
      query,
      body: Uint8Array.from(body),
      signal: ending.signal,
    });
  } finally {
    end();
  }
}

function tokenOf({ headers }: IncomingMessage): string {
  const own = headers["x-algo-api-token"];
  if (typeof own === "string" && own !== "") return own;
  return /^bearer (.*)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
}

async function command(
  { control }: Served,
  request: IncomingMessage,
  path: string,
  method: string,
): Promise<Answer> {
  const json = (status: number, body: JsonObject): Answer => ({
    status,
    type: "application/json",
    body: `${JSON.stringify(body)}\n`,
  });
  if (method !== "POST") return json(405, { error: "POST is expected" });
  try {
    const text = (await readBody(request, bodyMax))?.toString("utf8") ?? "";
    const body = (text === "" ? {} : JSON.parse(text)) as JsonObject;
    const answer = await control(path.slice("/sandbox".length), body);
    return answer === null ? json(404, { error: "Not Found" }) : json(200, answer);
  } catch (error) {
    if (error instanceof WrongCommand || error instanceof SyntaxError)
      return json(400, { error: errorMessage(error) });
    throw error;
  }
}

function send(response: ServerResponse, { body, status, type }: Answer): void {
  response.writeHead(status, { "content-type": type });
  response.end(body);
}
