import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";

/** A request as it came to the proxy. */
export type Passing = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/**
 * What goes wrong with a request. `refuse`: answered here, the service receives nothing. `lose`: the service executes it and its
 * response is lost; `status` null closes the connection. `hang`: no response ever.
 */
export type Disturbance =
  | {
      readonly kind: "refuse";
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  | { readonly kind: "lose"; readonly status: number | null }
  | { readonly kind: "hang" };

export type UnreliableProxy = {
  readonly url: string;
  /** Everything that came, in order. */
  readonly seen: Passing[];
  /** What goes wrong with the next requests to a path, one after the other; null passes one through. */
  readonly disturb: (route: string, ...disturbances: readonly (Disturbance | null)[]) => void;
  readonly close: () => Promise<void>;
};

/** A faulty reverse proxy in front of a service. */
export async function startUnreliableProxy(target: string): Promise<UnreliableProxy> {
  const pool = new Pool(target);
  const waiting = new Map<string, (Disturbance | null)[]>();
  const seen: Passing[] = [];
  const pass = async (passing: Passing, response: ServerResponse): Promise<void> => {
    const route = `${passing.method} ${passing.path.split("?")[0] ?? ""}`;
    const disturbance = waiting.get(route)?.shift() ?? null;
    if (disturbance?.kind === "hang") return;
    if (disturbance?.kind === "refuse") {
      response.writeHead(disturbance.status, disturbance.headers).end(disturbance.body ?? "");
      return;
    }
    const headers = without(passing.headers, ["host", "connection"]);
    const { method, path, body } = passing;
    const answer = await pool.request({
      method,
      path,
      headers,
      body: body === "" ? null : body,
    });
    const text = await answer.body.text();
    if (disturbance === null) {
      const kept = without(answer.headers, ["transfer-encoding", "content-length", "connection"]);
      response.writeHead(answer.statusCode, kept).end(text);
    } else if (disturbance.status === null) response.destroy();
    else response.writeHead(disturbance.status).end("<h1>Gateway Timeout</h1>");
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      const passing = { method, path, headers, body: Buffer.concat(chunks).toString() };
      seen.push(passing);
      pass(passing, response).catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    disturb: (route, ...disturbances) => waiting.set(route, [...disturbances]),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pool.close();
    },
  };
}

function without(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}
