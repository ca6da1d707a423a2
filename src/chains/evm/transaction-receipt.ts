import type { TransactionReceipt } from "../port.ts";
import type { EvmReceipt } from "./answer.ts";
import { readLosses } from "./sweep-losses.ts";
import { type ListedTokens, type MadeCall, readDelivery } from "./token-delivery.ts";

/** By what the logs of our own transactions are read; `hot` is the hot account, lower case, null where nothing is swept. */
export type OwnTokens = { readonly listed: ListedTokens; readonly hot: string | null };

/**
 * What a transaction cost its sender. Rollups of the OP stack charge for the chain below, and for themselves, apart; all others count
 * that as gas, if at all.
 */
export function feePaid({ gasUsed, gasPrice, layerOneFee, operatorFee }: EvmReceipt): bigint {
  return BigInt(gasUsed) * gasPrice + layerOneFee + operatorFee;
}

/** What a receipt says of a transaction of our own that makes this call. */
export function toTransactionReceipt(
  receipt: EvmReceipt,
  call: MadeCall,
  { listed, hot }: OwnTokens,
): TransactionReceipt {
  const { txid, hasSucceeded } = receipt;
  const delivery = readDelivery(receipt, call, listed);
  const lost = readLosses(receipt, call, listed, hot);
  return {
    txid,
    hasSucceeded,
    feeUnits: feePaid(receipt),
    ...(delivery === null ? {} : { delivery }),
    ...(lost.length === 0 ? {} : { lost }),
  };
}
