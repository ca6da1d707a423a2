import type { UtxoNetworkName } from "../../currencies/utxo-facts.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { RpcAnswer } from "../rpc/decode-reply.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { RpcError } from "../rpc/node-error.ts";
import { readCoins, readFields } from "./answer.ts";
import type { UtxoChain } from "./utxo-chain.ts";

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

/** What the chain's rates depend on; without facts of its own, those of Bitcoin. */
type RateFacts = Partial<Pick<UtxoChain, "minersRate" | "replacement">>;

/** The node's minimum rates, at least those of miners. Throws `Unavailable` for a node that does not report them. */
export async function readFeeFloor(
  rpc: JsonRpc,
  signal: AbortSignal,
  facts: RateFacts = {},
): Promise<FeeFloor> {
  return floorOf(await rpc.batch(floorCalls, signal), facts);
}

/**
 * Rates for low (25 blocks), medium (6) and high (2): the node's own estimates, at least its minimum, and never falling from low
 * to high. Throws `Unavailable` if a main network's node has no estimate, unless miners' own rate is known.
 */
export async function readFeeRates(
  rpc: JsonRpc,
  network: UtxoNetworkName,
  signal: AbortSignal,
  facts: RateFacts = {},
): Promise<FeeRates> {
  const { minersRate } = facts;
  const estimates = tiers.map(({ blocks, mode }) => ({
    method: "estimatesmartfee",
    params: minersRate === undefined ? [blocks, mode] : [blocks],
  }));
  const answers = await rpc.batch([...floorCalls, ...estimates], signal);
  const floor = floorOf(answers, facts);
  const [low, medium, high] = tiers.map(({ tier }, index) => {
    const estimate = estimateIn(answers[floorCalls.length + index]);
    return estimate ?? minersRate ?? rateWithout(network, tier);
  });
  const lowest = atLeast(low, floor.relay);
  const middle = atLeast(medium, lowest);
  return { ...floor, low: lowest, medium: middle, high: atLeast(high, middle) };
}

/** Nodes that replace nothing report no rate for it. Before Bitcoin Core 0.16, `getnetworkinfo` alone names the relay fee. */
function floorOf(
  answers: readonly RpcAnswer[],
  { minersRate = 0n, replacement = true }: RateFacts,
): FeeFloor {
  const [mempool, network] = answers.slice(0, floorCalls.length).map(fieldsOf);
  const relayFee = mempool?.["minrelaytxfee"] ?? network?.["relayfee"];
  const relay = [mempool?.["mempoolminfee"], relayFee].map(readCoins);
  return {
    relay: relay.reduce((highest, rate) => atLeast(rate, highest), minersRate),
    increment: replacement ? readCoins(network?.["incrementalfee"]) : 0n,
  };
}

/**
 * The same from a node with one estimate for the next block (`estimatefee` without a target), which is at least its minimum: such
 * nodes take every transaction of a block's size into the next block.
 */
export async function readOneRate(rpc: JsonRpc, signal: AbortSignal): Promise<FeeRates> {
  const answers = await rpc.batch([...floorCalls, { method: "estimatefee", params: [] }], signal);
  const floor = floorOf(answers, { replacement: false });
  const answer = answers[floorCalls.length];
  if (answer !== undefined && "error" in answer)
    throw new RpcError(answer.error.code, answer.error.message);
  const rate = atLeast(readCoins(answer?.result), floor.relay);
  return { ...floor, low: rate, medium: rate, high: rate };
}

/** A node without an estimate returns `errors` and no rate; nodes before 0.15 return a rate of -1. */
function estimateIn(answer: RpcAnswer | undefined): bigint | null {
  const { feerate } = fieldsOf(answer) as { feerate?: unknown };
  const rate = feerate === undefined ? 0n : readCoins(feerate);
  return rate > 0n ? rate : null;
}

function rateWithout(network: UtxoNetworkName, tier: Tier): bigint {
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
