import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Body = Readonly<Record<string, unknown>>;

export type HttpGateway = {
  readonly url: string;
  /** Changes the document that the node answers to a request; replaceable. Numbers beyond 2^53 do not survive it. */
  alter: (path: string, body: Body, document: unknown) => unknown;
  /** Answers instead of the node where it returns a document; replaceable. */
  intercept: (path: string, body: Body) => unknown;
  /** While true, every connection is closed. */
  isCutOff: boolean;
  /** The paths that were asked for. */
  readonly paths: readonly string[];
  readonly close: () => Promise<void>;
};

/** A gateway in front of a node that answers JSON over HTTP, to make it lie, lag or fail. */
export async function startHttpGateway(nodeUrl: string): Promise<HttpGateway> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (gateway.isCutOff) {
        request.socket.destroy();
        return;
      }
      const path = request.url ?? "/";
      const text = Buffer.concat(chunks).toString();
      paths.push(path);
      void answer(path, text).then(
        (document) => {
          response.writeHead(200, { "content-type": "application/json" });
          response.end(JSON.stringify(document));
        },
        // Without the node there is no gateway.
        () => request.socket.destroy(),
      );
    });
  });
  const answer = async (path: string, text: string): Promise<unknown> => {
    const body = JSON.parse(text === "" ? "{}" : text) as Body;
    const instead = gateway.intercept(path, body);
    if (instead !== undefined) return instead;
    const response = await fetch(nodeUrl + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: text,
    });
    return gateway.alter(path, body, await response.json());
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const gateway: HttpGateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    alter: (_path, _body, document) => document,
    intercept: () => undefined,
    isCutOff: false,
    paths,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return gateway;
}
