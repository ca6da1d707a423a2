import { describe, expect, it } from "vitest";
import { evmChain } from "../../../test/support/known-chains.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { EvmNode } from "./evm-node.ts";
import { createFeeMarket } from "./fee-market.ts";

describe("createFeeMarket", () => {
  /* Many concurrent quotes request the newest block's fees once; a failed request does not block the others. */

  const header = {
    block: { height: 7, hash: "0xa", parentHash: "0x9", time: 0 as never },
    baseFee: 100n,
    gasLimit: 60_000_000n,
  };
  const { signal } = new AbortController();

  function market(answers: readonly ("answers" | "silent")[]) {
    const requests: ((outcome: unknown) => void)[] = [];
    const node: Pick<EvmNode, "chain" | "askEach"> = {
      chain: "ETH",
      askEach: () =>
        new Promise<never>((resolve, reject) => {
          const answer = answers[requests.length];
          requests.push(() => {
            if (answer === "silent") reject(new Unavailable("ETH", "no answer"));
            else resolve([{ answer: { baseFees: [100n, 110n], tips: [[1n, 1n, 1n]] } }] as never);
          });
        }),
    };
    const record = evmChain("ETH");
    const { levelsAfter } = createFeeMarket(node as EvmNode, record);
    return { requests, levels: () => levelsAfter(header, signal) };
  }

  it("asks the node once for many concurrent callers", async () => {
    const { requests, levels } = market(["answers"]);
    const all = [levels(), levels(), levels()];
    requests[0]?.(null);
    const [first, ...others] = await Promise.all(all);
    expect(others).toEqual([first, first]);
    expect(await levels()).toEqual(first);
    expect(requests).toHaveLength(1);
  });

  it("lets each caller ask for itself when the first request fails", async () => {
    const { requests, levels } = market(["silent", "answers"]);
    const first = levels();
    const second = levels();
    requests[0]?.(null);
    await expect(first).rejects.toThrow("no answer");
    await expect.poll(() => requests.length).toBe(2);
    requests[1]?.(null);
    await second;
    await levels();
    expect(requests).toHaveLength(2);
  });

  /** A node whose recent blocks contain no tips; it suggests that tip, or does not know the method. */
  function quietNode(suggested: bigint | null) {
    const record = evmChain("ETH");
    const node: Pick<EvmNode, "chain" | "askEach"> = {
      chain: "ETH",
      askEach: ([question]: readonly { readonly method: string }[]) => {
        const outcome =
          question?.method === "eth_feeHistory"
            ? { answer: { baseFees: [100n, 100n], tips: [[0n, 0n, 0n]] } }
            : suggested === null
              ? { refusal: { code: -32601, message: "Method not found" } }
              : { answer: suggested };
        return Promise.resolve([outcome] as never);
      },
    };
    return createFeeMarket(node as EvmNode, record).levelsAfter(header, signal);
  }

  it("tips what the node suggests when recent blocks have no tips, at least the chain's minimum", async () => {
    const gwei = 1_000_000_000n;
    expect((await quietNode(gwei)).medium.maxPriorityFeePerGas).toBe(gwei);
    expect((await quietNode(1n)).medium.maxPriorityFeePerGas).toBe(gwei / 1000n);
    expect((await quietNode(null)).medium.maxPriorityFeePerGas).toBe(gwei / 1000n);
  });
});
