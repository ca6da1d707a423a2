import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { type RawData, WebSocket, WebSocketServer } from "ws";

/** An answer over HTTP: JSON or other bytes. */
export type HttpAnswer = { readonly status: number; readonly body: Buffer };

export type NodeGateway = {
  readonly url: string;
  /** Changes what the node answers over HTTP; replaceable. */
  alter: (path: string, answer: HttpAnswer) => HttpAnswer;
  /** Changes what the node sends over a WebSocket; replaceable. */
  alterMessage: (text: string) => string;
  /** While true, every connection is closed. */
  isCutOff: boolean;
  readonly close: () => Promise<void>;
};

/** A gateway in front of a node that speaks HTTP and WebSocket at one port, to make it lie, lag or fail. */
export async function startNodeGateway(nodeUrl: string): Promise<NodeGateway> {
  let isCutOff = false;
  const pool = new Pool(nodeUrl);
  const clients = new Set<WebSocket>();
  const server = createServer((request, response) => {
    if (isCutOff) request.socket.destroy();
    // Without the node there is no gateway.
    else pass(request, response).catch(() => request.socket.destroy());
  });
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { headers, method = "GET", url: path = "/" } = request;
    const kept = ["accept", "content-type", "x-algo-api-token"].flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [name, value] : [];
    });
    // Not `fetch`, which accepts anything on its own account: Kupo then answers some questions in text.
    const answered = await pool.request({
      method,
      path,
      headers: kept,
      body: chunks.length === 0 ? null : Buffer.concat(chunks),
    });
    const body = Buffer.from(await answered.body.arrayBuffer());
    const altered = gateway.alter(path, { status: answered.statusCode, body });
    const type = String(answered.headers["content-type"] ?? "application/json");
    response.writeHead(altered.status, { "content-type": type });
    response.end(altered.body);
  };
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (client) => {
    if (isCutOff) {
      client.terminate();
      return;
    }
    clients.add(client);
    const node = new WebSocket(nodeUrl.replace(/^http/, "ws"));
    const early: string[] = [];
    client.on("message", (data: RawData) => {
      if (node.readyState === WebSocket.OPEN) node.send(textOf(data));
      else early.push(textOf(data));
    });
    node.on("open", () => {
      for (const text of early.splice(0)) node.send(text);
    });
    node.on("message", (data: RawData) => {
      client.send(gateway.alterMessage(textOf(data)));
    });
    client.on("close", () => {
      clients.delete(client);
      node.terminate();
    });
    node.on("close", () => {
      client.terminate();
    });
    // Either side may leave at any time.
    client.on("error", () => undefined);
    node.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const gateway: NodeGateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    alter: (_path, answer) => answer,
    alterMessage: (text) => text,
    get isCutOff() {
      return isCutOff;
    },
    set isCutOff(isCut: boolean) {
      isCutOff = isCut;
      if (!isCut) return;
      for (const client of clients) client.terminate();
      server.closeAllConnections();
    },
    close: async () => {
      for (const client of clients) client.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pool.close();
    },
  };
  return gateway;
}

function textOf(data: RawData): string {
  return Array.isArray(data)
    ? Buffer.concat(data).toString("utf8")
    : Buffer.from(data as ArrayBuffer).toString("utf8");
}
