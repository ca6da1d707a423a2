import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { RpcAnswer } from "../rpc/decode-reply.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { RpcError } from "../rpc/rpc-error.ts";
import { readCoins, readFields } from "./answer.ts";
import type { UtxoNetworkName } from "./utxo-chain.ts";

/*
 * Fee rates are integers: thousandths of a unit per virtual byte. That is what nodes say in coins per thousand virtual
 * bytes at eight digits, so nothing is ever rounded.
 */

/** What this node takes at all. */
export type FeeFloor = {
  /** Below it nothing gets into the node's mempool. */
  readonly relay: bigint;
  /** What a replacement pays on top, for its own size (BIP-125). */
  readonly increment: bigint;
};

export type FeeRates = FeeFloor & {
  readonly low: bigint;
  readonly medium: bigint;
  readonly high: bigint;
};

type Tier = "low" | "medium" | "high";

/** Within how many blocks the node believes in it. */
const tiers: readonly { readonly tier: Tier; readonly blocks: number; readonly mode: string }[] = [
  { tier: "low", blocks: 25, mode: "economical" },
  { tier: "medium", blocks: 6, mode: "economical" },
  { tier: "high", blocks: 2, mode: "conservative" },
];

/** For test networks, whose blocks are too empty to estimate from. On a main network there is nothing to fall back to. */
const testRates: Readonly<Record<Tier, bigint>> = { low: 2_000n, medium: 5_000n, high: 10_000n };

const floorCalls = [
  { method: "getmempoolinfo", params: [] },
  { method: "getnetworkinfo", params: [] },
];

/** The least that the node takes. Throws `Unavailable` for a node that does not say. */
export async function readFeeFloor(rpc: JsonRpc, signal: AbortSignal): Promise<FeeFloor> {
  return floorOf(await rpc.batch(floorCalls, signal));
}

/**
 * Rates for low (25 blocks), medium (6) and high (2), by the node's own estimates and never below what it takes; each at
 * least as high as the one before. Throws `Unavailable` where a node of a main network has no estimate.
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
  const floor = floorOf(answers);
  const [low, medium, high] = tiers.map(({ tier }, index) =>
    rateOf(answers[floorCalls.length + index], network, tier),
  );
  const lowest = atLeast(low, floor.relay);
  const middle = atLeast(medium, lowest);
  return { ...floor, low: lowest, medium: middle, high: atLeast(high, middle) };
}

function floorOf(answers: readonly RpcAnswer[]): FeeFloor {
  const [mempool, network] = answers.slice(0, floorCalls.length).map(fieldsOf);
  const relay = [mempool?.["mempoolminfee"], mempool?.["minrelaytxfee"]].map(readCoins);
  return {
    relay: relay.reduce((highest, rate) => atLeast(rate, highest)),
    increment: readCoins(network?.["incrementalfee"]),
  };
}

/** A node without an estimate answers with `errors` and no rate; those before 0.15 with a rate of -1. */
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
