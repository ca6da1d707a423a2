import type { TransactionReceipt } from "../port.ts";
import type { EvmReceipt } from "./answer.ts";
import { readLosses } from "./sweep-losses.ts";
import { type ExecutedCall, type ListedTokens, readDelivery } from "./token-delivery.ts";

/** The context for reading logs of our own transactions; `hot` is the hot account, lower case, null where nothing is swept. */
export type OwnTokens = { readonly listed: ListedTokens; readonly hot: string | null };

/**
 * A transaction's cost to its sender. OP stack rollups charge L1 data and operator fees separately; all others count them as gas,
 * if at all.
 */
export function feePaid({ gasUsed, gasPrice, layerOneFee, operatorFee }: EvmReceipt): bigint {
  return BigInt(gasUsed) * gasPrice + layerOneFee + operatorFee;
}

/** Parses the receipt of one of our transactions that makes this call. */
export function toTransactionReceipt(
  receipt: EvmReceipt,
  call: ExecutedCall,
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
