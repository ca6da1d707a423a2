import { expect, it } from "vitest";
import { answeringEvmNode, type NodeAnswer } from "../../../test/support/answering-evm-node.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BlockRef } from "../port.ts";
import { Malformed } from "../rpc/answer.ts";
import type { EvmTransaction } from "./answer.ts";
import { createTracing } from "./tracing.ts";

/* One node's tracer, simulated: what its refusals mean over time, and to which transactions its answers belong. */

const { signal } = new AbortController();
const id = (digits: string): string => `0x${digits.repeat(32)}`;
const address = (digits: string): string => `0x${digits.repeat(20)}`;
const block: BlockRef = { height: 7, hash: id("b1"), parentHash: id("b0"), time: 0 as never };
const [plain, paying, other] = [id("a1"), id("a2"), id("a3")] as const;
const transaction = (txid: string): EvmTransaction => ({
  txid,
  from: address("c1"),
  to: address("c2"),
  value: 0n,
  nonce: 0,
  type: 2,
  height: 7,
  ownData: null,
});

/** `callTracer`'s result for a transaction whose contract pays that much. */
const callTrace = (units: number): object => ({
  type: "CALL",
  from: address("c1"),
  to: address("c2"),
  value: "0x0",
  calls: [
    { type: "CALL", from: address("c2"), to: address("d1"), value: `0x${units.toString(16)}` },
  ],
});
const moved = (units: bigint) => [{ from: address("c2"), to: address("d1"), units }];

const unsupported: NodeAnswer = { refusal: { code: -32601, message: "Method not found" } };

function arrange() {
  const clock = manualClock();
  let entries: readonly object[] | null = null;
  const node = answeringEvmNode((method) =>
    method === "debug_traceBlockByHash" && entries !== null ? { result: entries } : unsupported,
  );
  const tracing = createTracing(node, "auto", clock, silentLogger);
  return {
    clock,
    answer: (given: readonly object[] | null) => {
      entries = given;
    },
    read: async (txids: readonly string[] = [paying], all = [plain, paying]) => {
      const { moves } = await tracing.movesIn(block, txids.map(transaction), all, signal);
      return [...moves];
    },
  };
}

const named = [
  { txHash: plain, result: callTrace(0) },
  { txHash: paying, result: callTrace(4) },
];

it("takes a node's refusal to trace as passing if it traced before, for some minutes", async () => {
  const { answer, clock, read } = arrange();
  answer(named);
  expect(await read()).toEqual([[paying, moved(4n)]]);
  answer(null);
  await expect(read()).rejects.toBeInstanceOf(Unavailable);
  answer(named);
  expect(await read()).toEqual([[paying, moved(4n)]]);
  answer(null);
  await expect(read()).rejects.toBeInstanceOf(Unavailable);
  clock.advance(599);
  await expect(read()).rejects.toBeInstanceOf(Unavailable);
  clock.advance(1);
  expect(await read()).toEqual([]);
});

it("asks a node that offers no traces again after some minutes", async () => {
  const { answer, clock, read } = arrange();
  expect(await read()).toEqual([]);
  answer(named);
  expect(await read()).toEqual([]);
  clock.advance(600);
  expect(await read()).toEqual([[paying, moved(4n)]]);
});

it("assigns traces without ids by the order of all of the block's transactions", async () => {
  const { answer, read } = arrange();
  answer([{ result: callTrace(0) }, { result: callTrace(4) }, { result: callTrace(5) }]);
  expect(await read([paying, other], [plain, paying, other])).toEqual([
    [paying, moved(4n)],
    [other, moved(5n)],
  ]);
  await expect(read([paying], [plain, paying])).rejects.toThrow(Malformed);
});

it("reads the traces that it needs, whatever an answer says of other transactions", async () => {
  const { answer, read } = arrange();
  answer([{ txHash: plain, error: "odd" }, ...named.slice(1)]);
  expect(await read()).toEqual([[paying, moved(4n)]]);
  answer([{ txHash: paying, error: "odd" }]);
  await expect(read()).rejects.toBeInstanceOf(Unavailable);
  answer([{ txHash: paying, result: {} }]);
  await expect(read()).rejects.toThrow(Malformed);
});
