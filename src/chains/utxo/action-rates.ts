import type { JsonRpc } from "../rpc/json-rpc.ts";
import { isMethodNotFound, readFields, readInteger } from "./answer.ts";
import type { FeeRates } from "./fee-rates.ts";

/** `marginal_fee` of ZIP-317, in thousandths of a unit per logical action. */
const conventionalRate = 5_000_000n;

/**
 * Rates per logical action: the node's standard fee (`getstandardfee`, which older nodes do not have), and never below the
 * conventional fee, below which nodes relay nothing. There is one rate: blocks take what pays it in no particular order, and another one
 * would make our transactions stand out.
 */
export async function readActionRates(rpc: JsonRpc, signal: AbortSignal): Promise<FeeRates> {
  const standard = await readStandardRate(rpc, signal);
  const rate = standard > conventionalRate ? standard : conventionalRate;
  return { relay: rate, increment: 0n, low: rate, medium: rate, high: rate };
}

async function readStandardRate(rpc: JsonRpc, signal: AbortSignal): Promise<bigint> {
  try {
    const answer = readFields(await rpc.call("getstandardfee", [], signal));
    return BigInt(readInteger(answer["standard_fee"])) * 1000n;
  } catch (error) {
    if (isMethodNotFound(error)) return conventionalRate;
    throw error;
  }
}
