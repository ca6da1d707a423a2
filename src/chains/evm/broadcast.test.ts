import { describe, expect, it } from "vitest";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { broadcastEach } from "./broadcast.ts";
import type { EvmNode, Outcome } from "./evm-node.ts";

const { signal } = new AbortController();
const raws = [1, 2, 3, 4].map((byte) => Uint8Array.of(byte));

function nodeSaying(outcomes: readonly Outcome<unknown>[]): EvmNode {
  const silence = () => Promise.reject(new Unavailable("node", "no answer in time"));
  return {
    chain: "ETH",
    ask: silence,
    askAll: silence,
    command: silence,
    currentNode: () => "",
    askEach: () => Promise.resolve(outcomes as never),
  };
}

describe("isAlreadyKnown", () => {
  it("reports accepted transactions of a batch as known even if the node stops answering about a rejected one", async () => {
    const refusal = (message: string) => ({ refusal: { code: -32000, message } });
    const node = nodeSaying([
      { answer: "0x" },
      refusal("nonce too high"),
      refusal("already known"),
      { answer: "0x" },
    ]);
    expect(await broadcastEach(node, raws, signal)).toEqual([
      { kind: "accepted" },
      { kind: "rejected", reason: "nonce too high" },
      { kind: "alreadyKnown" },
      { kind: "accepted" },
    ]);
  });

  it.each([
    "in-flight transaction limit reached for delegated accounts",
    "gapped-nonce tx from delegated accounts",
    "authority already reserved",
  ])("lets a transaction of an account that delegates wait: %s", async (message) => {
    const node = nodeSaying([{ answer: "0x" }, { refusal: { code: -32000, message } }]);
    expect(await broadcastEach(node, raws.slice(0, 2), signal)).toEqual([
      { kind: "accepted" },
      { kind: "waits" },
    ]);
  });
});
