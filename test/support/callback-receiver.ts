import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type ReceivedCallback = {
  readonly headers: IncomingMessage["headers"];
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** The parsed body. */
  readonly document: {
    readonly data: { readonly type: string; readonly id: string };
    readonly included: readonly unknown[];
    readonly meta: { readonly time: string; readonly sign: string };
  };
};

export type Answering = (response: ServerResponse, received: ReceivedCallback) => void;

export type CallbackReceiver = {
  readonly url: string;
  readonly host: string;
  readonly received: ReceivedCallback[];
  /** Received requests without a response yet, now and at most so far. */
  readonly open: { now: number; most: number };
  answer: Answering;
  readonly close: () => Promise<void>;
};

export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ""): Answering =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** A merchant's server on this machine: stores what it receives and answers 200 unless a test changes that. */
export async function startReceiver(
  answer: Answering = answerWith(200),
): Promise<CallbackReceiver> {
  const server: Server = createServer((request, response) => {
    receiver.open.now += 1;
    receiver.open.most = Math.max(receiver.open.most, receiver.open.now);
    response.on("close", () => {
      receiver.open.now -= 1;
    });
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const received: ReceivedCallback = {
        headers: request.headers,
        method: request.method ?? "",
        path: request.url ?? "",
        body,
        document: JSON.parse(body) as ReceivedCallback["document"],
      };
      receiver.received.push(received);
      receiver.answer(response, received);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: CallbackReceiver = {
    url: `http://${host}/callback`,
    host,
    received: [],
    open: { now: 0, most: 0 },
    answer,
    close: async () => {
      const closed = once(server, "close");
      // First, so that no new connection arrives after the existing ones are closed.
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return receiver;
}
