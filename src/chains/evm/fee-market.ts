import type { BlockRef } from "../port.ts";
import {
  estimateFees,
  estimateLegacyFees,
  estimateWithoutHistory,
  type FeeHistory,
  type FeeLevels,
  hasTips,
} from "./estimate-fees.ts";
import type { EvmChain } from "./evm-chain.ts";
import { type EvmNode, isUnsupported, refused } from "./evm-node.ts";
import { type FeeHeader, feeHistoryUpTo, gasPriceOf, suggestedTip } from "./fee-questions.ts";

export type FeeMarket = {
  /** Fees for the block after the one the caller just found to be newest; requested once per block. */
  readonly levelsAfter: (header: FeeHeader, signal: AbortSignal) => Promise<FeeLevels>;
};

type CachedLevels = { readonly hash: string; readonly levels: Promise<FeeLevels> };

/** Throws `Unavailable` when the node has no answer. Caches only the newest block's levels, including a request under way. */
export function createFeeMarket(node: EvmNode, { leastTip }: EvmChain): FeeMarket {
  let newest: CachedLevels | null = null;
  const forget = (entry: CachedLevels): void => {
    if (newest === entry) newest = null;
  };

  const readLevels = async (
    block: BlockRef,
    baseFee: bigint | null,
    signal: AbortSignal,
  ): Promise<FeeLevels> => {
    if (baseFee === null) return estimateLegacyFees(await node.ask(gasPriceOf, signal), leastTip);
    const [history] = await node.askEach([feeHistoryUpTo(block.height)], signal);
    if ("answer" in history) return estimateFees(await withTips(history.answer, signal), leastTip);
    if (!isUnsupported(history.refusal))
      throw refused(node.chain, "eth_feeHistory", history.refusal);
    const gasPrice = await node.ask(gasPriceOf, signal);
    return estimateWithoutHistory(baseFee, gasPrice, leastTip);
  };

  // Otherwise a quiet chain's fee would fall to its floor as the last payment leaves the history, and fees quoted just before
  // would be refused as too high.
  const withTips = async (history: FeeHistory, signal: AbortSignal): Promise<FeeHistory> => {
    if (hasTips(history)) return history;
    const [suggested] = await node.askEach([suggestedTip], signal);
    const tip = "answer" in suggested ? suggested.answer : 0n;
    return { baseFees: history.baseFees, tips: [[tip, tip, tip]] };
  };

  return {
    levelsAfter: async ({ block, baseFee }, signal) => {
      if (newest?.hash === block.hash) {
        try {
          return await newest.levels;
        } catch {
          // The caller that started the request failed or gave up: this caller asks for itself.
        }
      }
      const entry = { hash: block.hash, levels: readLevels(block, baseFee, signal) };
      newest = entry;
      try {
        return await entry.levels;
      } catch (error) {
        forget(entry);
        throw error;
      }
    },
  };
}
