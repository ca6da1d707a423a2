import type { ListedTokens } from "../../currencies/currency.ts";
import type { CurrencyId, Money } from "../../platform/kernel/money.ts";
import type { TransactionReceipt } from "../port.ts";
import type { EvmReceipt } from "./answer.ts";
import { batchPaymentsOf, readBatchOutcomes } from "./batch-outcomes.ts";
import { sweepManySelector } from "./sweep-delegate.ts";
import { type ExecutedCall, readDelivery } from "./token-delivery.ts";
import { readTransferLog } from "./token-transfers.ts";

/** The context for reading logs of our own transactions; `hot` is the hot account, lower case, null if nothing is swept. */
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
  const batch = hasSucceeded ? batchPaymentsOf(call) : null;
  const outcomes = batch === null ? null : readBatchOutcomes(receipt, call.from, batch, listed);
  return {
    txid,
    hasSucceeded,
    feeUnits: feePaid(receipt),
    ...(delivery === null ? {} : { delivery }),
    ...(outcomes === null ? {} : { payments: outcomes.payments }),
    ...(outcomes === null || outcomes.deliveries.length === 0
      ? {}
      : { deliveries: outcomes.deliveries }),
    ...(lost.length === 0 ? {} : { lost }),
  };
}

/**
 * The amounts that listed tokens took from swept deposit addresses without delivering them to `hot`, by the tokens' own logs: a
 * token that charges a fee, or pays itself. Empty for a transaction that sweeps nothing.
 */
function readLosses(
  { hasSucceeded, logs }: EvmReceipt,
  { data }: ExecutedCall,
  listed: ListedTokens,
  hot: string | null,
): readonly Money[] {
  if (!hasSucceeded || hot === null || !data.startsWith(sweepManySelector)) return [];
  const swept = addressesIn(data, listed);
  const lost = new Map<CurrencyId, bigint>();
  for (const log of logs) {
    const currency = listed.get(log.contract);
    const move = currency === undefined ? null : readTransferLog(log);
    if (currency === undefined || move === null || !swept.has(move.from)) continue;
    if (move.to === hot || swept.has(move.to)) continue;
    lost.set(currency, (lost.get(currency) ?? 0n) + move.units);
  }
  return [...lost].map(([currency, units]) => ({ currency, units }));
}

/** Every word of a call that is an address, including the tokens that it names; its numbers are too small to be addresses. */
function addressesIn(data: string, listed: ListedTokens): ReadonlySet<string> {
  const words = data.slice(sweepManySelector.length).match(/.{64}/g) ?? [];
  const addresses = words.map((word) => `0x${word.slice(-40)}`);
  return new Set(addresses.filter((address) => !listed.has(address)));
}
