import type { UtxoNetworkName } from "../../currencies/utxo-facts.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { RpcAnswer } from "../rpc/decode-reply.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { RpcError } from "../rpc/node-error.ts";
import { readCoins, readFields } from "./answer.ts";

/*
 * Fee rates are integers: thousandths of a unit per virtual byte. This equals the nodes' coins per thousand virtual bytes at
 * eight digits, so nothing is ever rounded.
 */

/** The minimum rates of this node. */
export type FeeFloor = {
  /** The node's mempool accepts nothing below it. */
  readonly relay: bigint;
  /** The additional rate that a replacement pays for its own size (BIP-125). */
  readonly increment: bigint;
};

export type FeeRates = FeeFloor & {
  readonly low: bigint;
  readonly medium: bigint;
  readonly high: bigint;
};

type Tier = "low" | "medium" | "high";

/** Target of the estimate, in blocks. */
const tiers: readonly { readonly tier: Tier; readonly blocks: number; readonly mode: string }[] = [
  { tier: "low", blocks: 25, mode: "economical" },
  { tier: "medium", blocks: 6, mode: "economical" },
  { tier: "high", blocks: 2, mode: "conservative" },
];

/** For test networks, whose blocks are too empty for estimates. Main networks have no default. */
const testRates: Readonly<Record<Tier, bigint>> = { low: 2_000n, medium: 5_000n, high: 10_000n };

const floorCalls = [
  { method: "getmempoolinfo", params: [] },
  { method: "getnetworkinfo", params: [] },
];

/** The node's minimum rates. Throws `Unavailable` for a node that does not report them. */
export async function readFeeFloor(
  rpc: JsonRpc,
  signal: AbortSignal,
  replacement = true,
): Promise<FeeFloor> {
  return floorOf(await rpc.batch(floorCalls, signal), replacement);
}

/**
 * Rates for low (25 blocks), medium (6) and high (2): the node's own estimates, at least its minimum, and never falling from low
 * to high. Throws `Unavailable` if a main network's node has no estimate.
 */
export async function readFeeRates(
  rpc: JsonRpc,
  network: UtxoNetworkName,
  signal: AbortSignal,
): Promise<FeeRates> {
  const estimates = tiers.map(({ blocks, mode }) => ({
    method: "estimatesmartfee",
    params: [blocks, mode],
  }));
  const answers = await rpc.batch([...floorCalls, ...estimates], signal);
  const floor = floorOf(answers, true);
  const [low, medium, high] = tiers.map(({ tier }, index) =>
    rateOf(answers[floorCalls.length + index], network, tier),
  );
  const lowest = atLeast(low, floor.relay);
  const middle = atLeast(medium, lowest);
  return { ...floor, low: lowest, medium: middle, high: atLeast(high, middle) };
}

/** Nodes that replace nothing report no rate for it. */
function floorOf(answers: readonly RpcAnswer[], replacement: boolean): FeeFloor {
  const [mempool, network] = answers.slice(0, floorCalls.length).map(fieldsOf);
  const relay = [mempool?.["mempoolminfee"], mempool?.["minrelaytxfee"]].map(readCoins);
  return {
    relay: relay.reduce((highest, rate) => atLeast(rate, highest)),
    increment: replacement ? readCoins(network?.["incrementalfee"]) : 0n,
  };
}

/**
 * The same from a node with one estimate for the next block (`estimatefee` without a target), which is at least its minimum: such
 * nodes take every transaction of a block's size into the next block.
 */
export async function readOneRate(rpc: JsonRpc, signal: AbortSignal): Promise<FeeRates> {
  const answers = await rpc.batch([...floorCalls, { method: "estimatefee", params: [] }], signal);
  const floor = floorOf(answers, false);
  const answer = answers[floorCalls.length];
  if (answer !== undefined && "error" in answer)
    throw new RpcError(answer.error.code, answer.error.message);
  const rate = atLeast(readCoins(answer?.result), floor.relay);
  return { ...floor, low: rate, medium: rate, high: rate };
}

/** A node without an estimate returns `errors` and no rate; nodes before 0.15 return a rate of -1. */
function rateOf(answer: RpcAnswer | undefined, network: UtxoNetworkName, tier: Tier): bigint {
  const { feerate } = fieldsOf(answer) as { feerate?: unknown };
  const rate = feerate === undefined ? 0n : readCoins(feerate);
  if (rate > 0n) return rate;
  if (network !== "main") return testRates[tier];
  throw new Unavailable("node", `has no estimate of a ${tier} fee yet`);
}

function fieldsOf(answer: RpcAnswer | undefined): ReturnType<typeof readFields> {
  if (answer !== undefined && "error" in answer)
    throw new RpcError(answer.error.code, answer.error.message);
  return readFields(answer?.result);
}

function atLeast(rate: bigint | undefined, least: bigint): bigint {
  return rate !== undefined && rate > least ? rate : least;
}
