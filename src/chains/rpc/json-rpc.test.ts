/** The client with one server that misbehaves as real nodes do. */
import { getEventListeners } from "node:events";
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import {
  answer,
  type Call,
  client,
  echoReversed,
  fail,
  type Handler,
  impatient,
  reset,
  send,
  signal,
  silence,
  startNode,
} from "../../../test/support/scripted-node.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { RpcError } from "./node-error.ts";

describe("one node", () => {
  it("sends the URL's userinfo as basic authentication and keeps its path", async () => {
    let seen: IncomingMessage | null = null;
    const node = await startNode((body, response, request) => {
      seen = request;
      answer(7)(body, response, request);
    });
    const url = node.url.replace("://", "://us%3Aer:p%40ss@");
    const rpc = client([{ ...node, url: `${url}/v3/key?x=1` }]);
    expect(await rpc.call("tip", [], signal)).toBe(7);
    expect(seen!.headers.authorization).toBe(`Basic ${btoa("us:er:p@ss")}`);
    expect(seen!.url).toBe("/v3/key?x=1");
    expect(rpc.currentNode()).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  it("leaves nothing on the signal of a caller that lives long", async () => {
    // Not a signal for `AbortSignal.any`, which would leave a reference on it that only a complete garbage collection removes.
    const caller = Object.assign(new EventTarget(), { aborted: false }) as AbortSignal;
    const rpc = client([await startNode(answer(7))]);
    for (let count = 0; count < 3; count += 1) expect(await rpc.call("tip", [], caller)).toBe(7);
    expect(getEventListeners(caller, "abort")).toEqual([]);
  });

  it("throws the node's errors without retrying, in JSON-RPC 1.0 and 2.0", async () => {
    const node = await startNode(fail(-5, "no such thing"), fail(-8, "out of range", 200));
    const rpc = client([node]);
    await expect(rpc.call("a", [], signal)).rejects.toEqual(new RpcError(-5, "no such thing"));
    await expect(rpc.call("b", [], signal)).rejects.toMatchObject({ code: -8 });
    expect(node.requests).toHaveLength(2);
  });

  it.each([
    ["a reset connection", reset],
    ["garbage", send(200, "<html>")],
    ["garbage that is JSON", send(200, "[1]")],
    ["an answer to another question", send(200, `{"id":99999,"result":1}`)],
    ["HTTP 429", send(429, `{"error":{"code":-32005,"message":"slow down"}}`)],
    ["a full work queue", send(503, "Work queue depth exceeded")],
    ["a node that is loading", fail(-28, "Loading block index...")],
  ])("retries after %s", async (_, fault) => {
    const node = await startNode(fault, answer("there"));
    expect(await client([node]).call("a", [], signal)).toBe("there");
    expect(node.requests).toHaveLength(2);
  });

  it("is unavailable after the last attempt, also when the connection is refused", async () => {
    const node = await startNode(reset);
    const rpc = client([node], { attempts: 3 });
    await expect(rpc.call("a", [], signal)).rejects.toBeInstanceOf(Unavailable);
    expect(node.requests).toHaveLength(3);
    const refusing = client([{ url: "http://127.0.0.1:1", requests: [] }], { attempts: 2 });
    await expect(refusing.call("a", [], signal)).rejects.toThrow(/ECONNREFUSED/);
  });

  it("reports refused credentials without revealing them", async () => {
    const node = await startNode(send(401, ""));
    const rpc = client([{ ...node, url: node.url.replace("://", "://user:hidden@") }], {
      attempts: 1,
    });
    const error = await rpc.call("a", [], signal).catch((thrown: unknown) => thrown as Error);
    expect(String(error)).toContain("HTTP 401");
    expect(String(error)).not.toContain("hidden");
  });

  it("times out on a silent node without retrying", async () => {
    const node = await startNode(silence);
    const clock = manualClock();
    const rpc = client([node], { clock, timeoutMs: 3_000 });
    const question = rpc.call("a", [], signal);
    await expect.poll(() => node.requests).toHaveLength(1);
    clock.advance(3);
    await expect(question).rejects.toThrow(/no answer within 3000 ms/);
    expect(node.requests).toHaveLength(1);
  });

  it("times out on a body that stops half-way", async () => {
    const node = await startNode((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write(`{"id":`);
    });
    await expect(client([node], impatient).call("a", [], signal)).rejects.toThrow(
      /no answer within/,
    );
  });

  it("lets a call wait longer than the client's timeout", async () => {
    const node = await startNode((body, response, request) => {
      void systemClock.sleep(450).then(() => {
        answer("late")(body, response, request);
      });
    });
    const rpc = client([node], impatient);
    expect(await rpc.call("a", [], signal, { timeoutMs: 60_000 })).toBe("late");
  });

  it("sends a command exactly once", async () => {
    const node = await startNode(reset, answer(1));
    await expect(client([node]).callOnce("sendtoaddress", [], signal)).rejects.toBeInstanceOf(
      Unavailable,
    );
    expect(node.requests).toHaveLength(1);
  });

  it("stops at an abort without blaming the node", async () => {
    const node = await startNode(silence, answer(1));
    const rpc = client([node, await startNode(answer(2))], { timeoutMs: 60_000 });
    const stop = new AbortController();
    const question = rpc.call("a", [], stop.signal);
    await expect.poll(() => node.requests).toHaveLength(1);
    stop.abort();
    await expect(question).rejects.toThrow(/stopped/);
    expect(rpc.available()).toEqual(rpc.nodes);
    await expect(rpc.call("a", [], stop.signal)).rejects.toThrow(/stopped/);
    expect(await rpc.call("a", [], signal)).toBe(1);
  });

  it("rejects a body above the limit", async () => {
    const node = await startNode(answer("x".repeat(5000)));
    const rpc = client([node], { bodyBytesMax: 4096, attempts: 1 });
    await expect(rpc.call("a", [], signal)).rejects.toThrow(/more than 4096 bytes/);
  });

  it("keeps amounts as their source text", async () => {
    const node = await startNode((body, response) => {
      const { id } = body as Call;
      response.end(`{"id":${id},"result":{"value":0.1,"n":3,"big":20999999.97690000,"e":1e-8}}`);
    });
    expect(await client([node]).call("a", [], signal)).toEqual({
      value: "0.1",
      n: 3,
      big: "20999999.97690000",
      e: "1e-8",
    });
  });
});

describe("batches", () => {
  const echo = (count: number): { method: string; params: readonly unknown[] }[] =>
    Array.from({ length: count }, (_, index) => ({ method: "echo", params: [index] }));

  it("splits batches and returns the answers in the order of the calls", async () => {
    const node = await startNode(echoReversed);
    const answers = await client([node], { batchMax: 10 }).batch(echo(25), signal);
    expect(answers).toEqual(Array.from({ length: 25 }, (_, index) => ({ result: index })));
    expect(node.requests.map((request) => (request as readonly Call[]).length).sort()).toEqual([
      10, 10, 5,
    ]);
  });

  it("gives each part of a batch its own time, however slowly the parts before it are answered", async () => {
    const clock = manualClock();
    const node = await startNode((body, response, request) => {
      clock.advance(2);
      echoReversed(body, response, request);
    });
    const rpc = client([node], { batchMax: 1, clock, connections: 1, timeoutMs: 3_000 });
    expect(await rpc.batch(echo(4), signal)).toHaveLength(4);
    expect(node.requests).toHaveLength(4);
  });

  it("begins no further part of a batch after one has failed", async () => {
    const node = await startNode(reset, echoReversed);
    const rpc = client([node], { batchMax: 1, connections: 1, attempts: 1 });
    await expect(rpc.batch(echo(4), signal)).rejects.toBeInstanceOf(Unavailable);
    expect(node.requests).toHaveLength(1);
  });

  it("keeps each call's own error", async () => {
    const node = await startNode((body, response) => {
      const [first, second] = body as readonly Call[];
      response.end(
        JSON.stringify([
          { id: first!.id, result: 1, error: null },
          { id: second!.id, result: null, error: { code: -5, message: "unknown" } },
        ]),
      );
    });
    expect(await client([node]).batch(echo(2), signal)).toEqual([
      { result: 1 },
      { error: { code: -5, message: "unknown" } },
    ]);
  });

  it("requests the missing answers of a partial reply", async () => {
    const node = await startNode((body, response) => {
      const [first] = body as readonly Call[];
      response.end(JSON.stringify([{ id: first!.id, result: first!.params[0] }]));
    }, echoReversed);
    expect(await client([node]).batch(echo(3), signal)).toEqual([
      { result: 0 },
      { result: 1 },
      { result: 2 },
    ]);
    expect(node.requests[1]).toHaveLength(2);
  });

  it("rejects a batch with a duplicate or foreign answer", async () => {
    const twice: Handler = (body, response) => {
      const { id } = (body as readonly Call[])[0]!;
      response.end(
        JSON.stringify([
          { id, result: 1 },
          { id, result: 2 },
        ]),
      );
    };
    const node = await startNode(twice);
    await expect(client([node], { attempts: 1 }).batch(echo(2), signal)).rejects.toThrow(
      /not asked/,
    );
  });

  it("is unavailable when the node answers a batch with a single error", async () => {
    const node = await startNode(send(200, `{"id":null,"error":{"code":1,"message":"too many"}}`));
    await expect(client([node], { attempts: 1 }).batch(echo(2), signal)).rejects.toThrow(
      /too many/,
    );
  });

  it("sends no request for an empty batch", async () => {
    const node = await startNode(silence);
    expect(await client([node]).batch([], signal)).toEqual([]);
    expect(node.requests).toHaveLength(0);
  });
});
