import type { MinedSpend } from "../port.ts";
import type { EvmReceipt } from "./answer.ts";
import { type ListedTokens, type MadeCall, readDelivery } from "./token-delivery.ts";

/**
 * What a receipt says of a transaction of our own that makes this call. Rollups of the OP stack charge for the chain below apart; all others count
 * it as gas, if at all.
 */
export function minedSpend(receipt: EvmReceipt, call: MadeCall, listed: ListedTokens): MinedSpend {
  const { txid, hasSucceeded, gasUsed, gasPrice, layerOneFee, operatorFee } = receipt;
  const feeUnits = BigInt(gasUsed) * gasPrice + layerOneFee + operatorFee;
  const delivery = readDelivery(receipt, call, listed);
  return { txid, hasSucceeded, feeUnits, ...(delivery === null ? {} : { delivery }) };
}
