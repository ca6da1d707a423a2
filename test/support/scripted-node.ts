import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";
import { createJsonRpc, type JsonRpc, type JsonRpcOptions } from "../../src/chains/rpc/json-rpc.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";

/*
 * Real HTTP servers that misbehave like nodes do. Each follows a script: one handler per request, the last one for all further
 * requests. Servers and clients are closed after each test.
 */

export type Call = {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
};
export type Handler = (
  body: Call | readonly Call[],
  response: ServerResponse,
  request: IncomingMessage,
) => void;
export type Node = { readonly url: string; readonly requests: (Call | readonly Call[])[] };

const servers: Server[] = [];
const clients: JsonRpc[] = [];
export const { signal } = new AbortController();

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

export async function startNode(...script: readonly Handler[]): Promise<Node> {
  const requests: (Call | readonly Call[])[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const body = JSON.parse(text === "" ? "null" : text) as Call | readonly Call[];
      const handler = script[Math.min(requests.length, script.length - 1)]!;
      requests.push(body);
      handler(body, response, request);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** For a client that must time out on a silent node; others wait as long as a busy machine may take. */
export const impatient = { timeoutMs: 300 };

export function client(nodes: readonly Node[], options: Partial<JsonRpcOptions> = {}): JsonRpc {
  const rpc = createJsonRpc({
    nodes: nodes.map(({ url }) => ({ url })),
    chain: "TEST",
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
    timeoutMs: 60_000,
    ...options,
  });
  clients.push(rpc);
  return rpc;
}

export const send =
  (status: number, text: string): Handler =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(text);
  };

export const answer =
  (result: unknown): Handler =>
  (body, response) => {
    const reply = (call: Call): object => ({ jsonrpc: "2.0", id: call.id, result });
    response.end(JSON.stringify(Array.isArray(body) ? body.map(reply) : reply(body as Call)));
  };

export const fail =
  (code: number, message: string, status = 500): Handler =>
  (body, response) => {
    const { id } = body as Call;
    response.writeHead(status).end(JSON.stringify({ result: null, error: { code, message }, id }));
  };

export const reset: Handler = (_, response) => response.socket?.resetAndDestroy();
export const silence: Handler = () => undefined;

/** Answers each call of a batch with its own parameter, in reverse order, as the standard allows. */
export const echoReversed: Handler = (body, response) => {
  const replies = (body as readonly Call[]).map(({ id, params }) => ({ id, result: params[0] }));
  response.end(JSON.stringify(replies.reverse()));
};
