/** Nodes that are asked over HTTP in any dialect: requests, headers, and faults that the dialect finds in an answer. */
import type { IncomingMessage } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { type Handler, send, signal, startNode } from "../../../test/support/scripted-node.ts";
import { type Logger, silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { NodeAddress, NodeReply } from "./http-node.ts";
import { createHttpNodes, type HttpNodes } from "./http-nodes.ts";
import { NodeError, NodeFault } from "./node-error.ts";

const clients: HttpNodes[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

function connect(nodes: readonly NodeAddress[], logger: Logger = silentLogger): HttpNodes {
  const client = createHttpNodes({
    nodes,
    chain: "TEST",
    clock: systemClock,
    logger,
    random: systemRandom,
    timeoutMs: 60_000,
  });
  clients.push(client);
  return client;
}

/** A handler that keeps each request. */
function recorder(text: string): { readonly seen: IncomingMessage[]; readonly handler: Handler } {
  const seen: IncomingMessage[] = [];
  return {
    seen,
    handler: (body, response, request) => {
      seen.push(request);
      send(200, text)(body, response, request);
    },
  };
}

const get = (path: string) => ({ method: "GET", path, body: null }) as const;

describe("nodes behind HTTP", () => {
  it("sends method, path and body below each node's URL, which keeps its own path and query", async () => {
    const { seen, handler } = recorder("{}");
    const node = await startNode(handler);
    const client = connect([{ url: `${node.url}/base/?key=1` }]);
    await client.run((one) => one.send(get("/wallet/getnowblock")), signal);
    const post = { method: "POST", path: "/wallet/getblock", body: `{"detail":true}` } as const;
    await client.run((one) => one.send(post), signal);
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /base/wallet/getnowblock?key=1",
      "POST /base/wallet/getblock?key=1",
    ]);
    expect(node.requests).toEqual([null, { detail: true }]);
    expect(seen[1]?.headers["content-type"]).toBe("application/json");
  });

  it("sends each node its own headers and logs none of them", async () => {
    const { seen, handler } = recorder("{}");
    const refusing = await startNode(send(403, ""));
    const node = await startNode(handler);
    const logged: unknown[] = [];
    const log = (...line: unknown[]): void => void logged.push(line);
    const logger = { ...silentLogger, warn: log, error: log, with: () => logger };
    const nodes = [
      { url: refusing.url, headers: { "TRON-PRO-API-KEY": "first-secret" } },
      { url: node.url, headers: { "TRON-PRO-API-KEY": "second-secret" } },
    ];
    const client = connect(nodes, logger);
    await client.run((one) => one.send(get("/")), signal);
    expect(seen[0]?.headers["tron-pro-api-key"]).toBe("second-secret");
    expect(JSON.stringify(logged)).toContain("HTTP 403");
    expect(JSON.stringify(logged)).not.toContain("secret");
  });

  it("returns the HTTP status with the document, whose large numbers are exact", async () => {
    const node = await startNode(send(404, `{"balance":9007199254740993,"small":7}`));
    const reply: NodeReply = await connect([node]).run((one) => one.send(get("/")), signal);
    expect(reply).toEqual({ status: 404, document: { balance: "9007199254740993", small: 7 } });
  });

  it("asks the next node when the dialect finds a fault in an answer", async () => {
    const first = await startNode(send(200, `{"height":"high"}`));
    const second = await startNode(send(200, `{"height":7}`));
    const client = connect([first, second]);
    const height = await client.run(async (one) => {
      const { document } = await one.send(get("/"));
      const { height: read } = document as { height: unknown };
      if (typeof read !== "number") throw new NodeFault("garbage", "answered no height");
      return read;
    }, signal);
    expect(height).toBe(7);
    expect(client.available()).toEqual(client.nodes.toReversed());
  });

  it("asks no other node after an error response from the node", async () => {
    const first = await startNode(send(200, `{"Error":"contract validate error"}`));
    const second = await startNode(send(200, "{}"));
    const client = connect([first, second]);
    const question = client.run(async (one) => {
      await one.send(get("/"));
      throw new NodeError("contract validate error");
    }, signal);
    await expect(question).rejects.toThrow(new NodeError("contract validate error"));
    expect(second.requests).toHaveLength(0);
  });

  it("numbers nodes of one host and restricts a client to one of them", async () => {
    const node = await startNode(send(200, "{}"));
    const client = connect([{ url: `${node.url}/one` }, { url: `${node.url}/two` }]);
    const { host } = new URL(node.url);
    expect(client.nodes).toEqual([host, `${host}#2`]);
    const only = client.only(`${host}#2`);
    expect(await only.run((one) => Promise.resolve(one.name), signal)).toBe(`${host}#2`);
    expect(client.currentNode()).toBe(host);
    const failing = only.run(() => Promise.reject(new NodeFault("garbage", "no")), signal, {
      attempts: 1,
    });
    await expect(failing).rejects.toBeInstanceOf(Unavailable);
    expect(only.available()).toEqual([`${host}#2`]);
  });
});
