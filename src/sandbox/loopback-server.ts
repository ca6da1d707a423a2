import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type RawData, type WebSocket, WebSocketServer } from "ws";

export type LoopbackServer = {
  readonly port: number;
  /** Also closes open connections. */
  readonly close: () => Promise<void>;
};

export type SocketOptions = {
  /** Longest accepted message, in bytes. */
  readonly messageMax: number;
  readonly serveSocket: (socket: WebSocket) => void;
};

/** Longer than any client of ours pauses: a request on a connection that the server is closing fails. */
const keepAliveMs = 120_000;

/** Serves HTTP on the loopback interface. Port 0 takes a free one; rejects if the port is taken. */
export async function serveLoopback(
  port: number,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<LoopbackServer> {
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    void handle(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** Serves HTTP and WebSocket at the same port of the loopback interface. Port 0 takes a free one; rejects if the port is taken. */
export async function serveLoopbackSockets(
  port: number,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { messageMax, serveSocket }: SocketOptions,
): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    void handle(request, response);
  });
  const sockets = new WebSocketServer({ server, maxPayload: messageMax });
  sockets.on("connection", serveSocket);
  await new Promise<void>((resolve, reject) => {
    // The socket server repeats the errors of the HTTP server.
    sockets.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        sockets.close();
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** A WebSocket message as text. */
export function messageText(data: RawData): string {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer);
  return bytes.toString("utf8");
}

/** The body of a request; null if it exceeds `bytesMax` or is cut off. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of request) {
      const bytes = part as Buffer;
      size += bytes.length;
      if (size > bytesMax) return null;
      parts.push(bytes);
    }
  } catch {
    return null;
  }
  return Buffer.concat(parts);
}
