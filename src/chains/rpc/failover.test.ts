/** The client with several servers, some of which fail or belong to another network. */
import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import {
  answer,
  type Call,
  client,
  type Handler,
  reset,
  signal,
  silence,
  startNode,
} from "../../../test/support/scripted-node.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { JsonRpcOptions } from "./json-rpc.ts";
import { NoAnswerInTime } from "./node-error.ts";

describe("several nodes", () => {
  it("uses the next node when the first fails, and keeps it until it fails", async () => {
    const first = await startNode(reset, answer("first"));
    const second = await startNode(answer("second"), answer("second"), reset);
    const rpc = client([first, second]);
    const [firstName, secondName] = rpc.nodes;
    expect(rpc.currentNode()).toBe(firstName);
    expect(await rpc.call("a", [], signal)).toBe("second");
    expect(await rpc.call("a", [], signal)).toBe("second");
    expect(rpc.currentNode()).toBe(secondName);
    expect(await rpc.call("a", [], signal)).toBe("first");
    expect(rpc.currentNode()).toBe(firstName);
  });

  it("waits for a silent node only once per call", async () => {
    const first = await startNode(silence);
    const second = await startNode(answer("second"));
    const clock = manualClock();
    const rpc = client([first, second], { clock, timeoutMs: 3_000 });
    const question = rpc.call("a", [], signal);
    await expect.poll(() => first.requests).toHaveLength(1);
    clock.advance(3);
    expect(await question).toBe("second");
    expect(await rpc.call("b", [], signal)).toBe("second");
    expect(first.requests).toHaveLength(1);
  });

  it("tells whether the nodes stayed silent or failed", async () => {
    const clock = manualClock();
    const failed = async (handlers: readonly Handler[]): Promise<unknown> => {
      const nodes = await Promise.all(handlers.map((handler) => startNode(handler)));
      const rpc = client(nodes, { clock, timeoutMs: 3_000, attempts: handlers.length });
      const outcome = rpc.call("a", [], signal).catch((error: unknown) => error);
      for (const [place, { requests }] of nodes.entries()) {
        if (handlers[place] !== silence) continue;
        await expect.poll(() => requests).toHaveLength(1);
        clock.advance(3);
      }
      return await outcome;
    };
    expect(await failed([silence, silence])).toBeInstanceOf(NoAnswerInTime);
    const gatewayTimeout: Handler = (_body, response) => response.writeHead(504).end();
    expect(await failed([gatewayTimeout])).toBeInstanceOf(NoAnswerInTime);
    const mixed = await failed([silence, reset]);
    expect(mixed).toBeInstanceOf(Unavailable);
    expect(mixed).not.toBeInstanceOf(NoAnswerInTime);
  });

  it("never sends a pinned call to another node", async () => {
    const first = await startNode(answer("first"));
    const second = await startNode(reset);
    const rpc = client([first, second], { attempts: 2 });
    const [, node] = rpc.nodes as [string, string];
    await expect(rpc.only(node).call("a", [], signal)).rejects.toBeInstanceOf(Unavailable);
    expect(first.requests).toHaveLength(0);
  });

  it("never mixes the answers of two nodes in one batch", async () => {
    const half: Handler = (body, response) => {
      const [call] = body as readonly Call[];
      response.end(JSON.stringify([{ id: call!.id, result: "old view" }]));
    };
    const first = await startNode(half);
    const second = await startNode(answer("new view"));
    const rpc = client([first, second]);
    const calls = [1, 2].map((n) => ({ method: "m", params: [n] }));
    expect(await rpc.batch(calls, signal)).toEqual([
      { result: "new view" },
      { result: "new view" },
    ]);
  });
});

describe("verification", () => {
  class Foreign extends Error {}
  const verify: JsonRpcOptions["verify"] = async (ask) => {
    if ((await ask("network", [])) !== "ours") throw new Foreign("another network");
  };
  const networkNode =
    (network: string, result: string): Handler =>
    (body, response, request) => {
      answer((body as Call).method === "network" ? network : result)(body, response, request);
    };

  it("skips a node of another network", async () => {
    const foreign = await startNode(networkNode("theirs", "wrong"));
    const ours = await startNode(networkNode("ours", "right"));
    // On a slow machine the second call would begin after the pause of half a second.
    const rpc = client([foreign, ours], { clock: manualClock(), verify });
    expect(await rpc.call("a", [], signal)).toBe("right");
    expect(await rpc.call("a", [], signal)).toBe("right");
    expect(foreign.requests.map((call) => (call as Call).method)).toEqual(["network"]);
    expect(rpc.available()).toEqual(rpc.nodes.slice(1));
  });

  it("throws the refusal when no other node is left, and retries the node later", async () => {
    const node = await startNode(networkNode("theirs", "wrong"), networkNode("ours", "right"));
    const clock = manualClock();
    const rpc = client([node], { clock, verify });
    await expect(rpc.call("a", [], signal)).rejects.toBeInstanceOf(Foreign);
    expect(node.requests).toHaveLength(1);
    clock.advance(0.6);
    expect(await rpc.call("a", [], signal)).toBe("right");
  });

  it("verifies a failed node again before it is used", async () => {
    const node = await startNode(
      networkNode("ours", "right"),
      networkNode("ours", "right"),
      reset,
      networkNode("theirs", "wrong"),
    );
    const rpc = client([node], { verify });
    expect(await rpc.call("a", [], signal)).toBe("right");
    await expect(rpc.call("a", [], signal)).rejects.toBeInstanceOf(Foreign);
  });

  it("treats a verification without a response as an outage", async () => {
    const node = await startNode(reset);
    await expect(
      client([node], { verify, attempts: 2 }).call("a", [], signal),
    ).rejects.toBeInstanceOf(Unavailable);
  });
});
