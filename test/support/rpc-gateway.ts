import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] };

/** The gateway's response instead of the node's; `null` forwards the call. */
export type Interception =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | null;

export type RpcGateway = {
  readonly url: string;
  /** Decides for each call; replaceable. */
  intercept: (method: string, params: readonly unknown[]) => Interception;
  /** Changes the parameters of a call to the node; replaceable. */
  rewrite: (method: string, params: readonly unknown[]) => readonly unknown[];
  /** Transforms a result of the node; replaceable. */
  alter: (method: string, params: readonly unknown[], result: unknown) => unknown;
  /** While true, every connection is closed. */
  isCutOff: boolean;
  /** HTTP requests and the methods in each. */
  readonly requests: (readonly string[])[];
  readonly close: () => Promise<void>;
};

/** A JSON-RPC gateway in front of a real node, to make it less capable, like hosted and pruned nodes. */
export async function startGateway(nodeUrl: string): Promise<RpcGateway> {
  // `fetch` accepts no URL with credentials.
  const { origin: target, username, password } = new URL(nodeUrl);
  const basic = Buffer.from(`${username}:${decodeURIComponent(password)}`).toString("base64");
  const authorization: Record<string, string> =
    username === "" ? {} : { authorization: `Basic ${basic}` };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (gateway.isCutOff) {
        request.socket.destroy();
        return;
      }
      // A caller that aborts needs no response.
      if (chunks.length === 0) {
        request.socket.destroy();
        return;
      }
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | readonly Call[];
      const calls: readonly Call[] = Array.isArray(body) ? body : [body as Call];
      gateway.requests.push(calls.map(({ method }) => method));
      void Promise.all(calls.map(answer)).then(
        (replies) => {
          response.writeHead(200, { "content-type": "application/json" });
          response.end(JSON.stringify(Array.isArray(body) ? replies : replies[0]));
        },
        // Without the node there is no gateway.
        () => request.socket.destroy(),
      );
    });
  });

  const answer = async (call: Call): Promise<unknown> => {
    const instead = gateway.intercept(call.method, call.params);
    if (instead !== null) return { jsonrpc: "2.0", id: call.id, ...instead };
    const response = await fetch(target, {
      method: "POST",
      headers: { "content-type": "application/json", ...authorization },
      body: JSON.stringify({ ...call, params: gateway.rewrite(call.method, call.params) }),
    });
    const reply = (await response.json()) as { readonly result?: unknown };
    if (!("result" in reply)) return reply;
    return { ...reply, result: gateway.alter(call.method, call.params, reply.result) };
  };

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const gateway: RpcGateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    intercept: () => null,
    rewrite: (_method, params) => params,
    alter: (_method, _params, result) => result,
    isCutOff: false,
    requests: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  return gateway;
}
