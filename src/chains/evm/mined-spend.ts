import type { MinedSpend } from "../port.ts";
import type { EvmReceipt } from "./answer.ts";

/**
 * What a receipt says of a transaction of our own. Rollups of the OP stack charge for the chain below apart; all others count
 * it as gas, if at all.
 */
export function minedSpend(receipt: EvmReceipt): MinedSpend {
  const { txid, hasSucceeded, gasUsed, gasPrice, layerOneFee } = receipt;
  return { txid, hasSucceeded, feeUnits: BigInt(gasUsed) * gasPrice + layerOneFee };
}
