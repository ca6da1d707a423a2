import type { ListedTokens } from "../../currencies/currency.ts";
import type { BlockRef, TokenDelivery, TransactionReceipt } from "../port.ts";
import { coreHex } from "./address.ts";
import { type ExecutedTransaction, hasSucceeded, movesOf } from "./moves.ts";
import { readExecutedBlock } from "./read-block.ts";
import type { TronNode } from "./tron-node.ts";

/** Our own transactions in the solid block, what they cost and what their token transfers moved; null when the block is gone. */
export async function readReceiptsIn(
  node: TronNode,
  listed: ListedTokens,
  txids: readonly string[],
  block: BlockRef,
  signal: AbortSignal,
): Promise<readonly TransactionReceipt[] | null> {
  if (txids.length === 0) return [];
  const ours = new Set(txids);
  const found = await node.consult(
    (ask) => readExecutedBlock(node.chain, ask, "walletsolidity", block),
    signal,
  );
  return (
    found?.executed
      .filter(({ transaction }) => ours.has(transaction.txid))
      .map((executed) => toTransactionReceipt(executed, listed)) ?? null
  );
}

/** The outcome of one of our own transactions. The fee contains the energy that it burned and the activation of its receiver. */
export function toTransactionReceipt(
  executed: ExecutedTransaction,
  listed: ListedTokens,
): TransactionReceipt {
  const delivery = readDelivery(executed, listed);
  return {
    txid: executed.transaction.txid,
    hasSucceeded: hasSucceeded(executed),
    feeUnits: executed.receipt.feeUnits,
    ...(delivery === null ? {} : { delivery }),
  };
}

/** Exactly `transfer(address,uint256)`: the selector, a receiver and an amount. */
const transferData = /^a9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/;

/**
 * What a listed token's transfer moved, by the token's own logs. Null: exactly as requested, or no transfer was requested. Only moves
 * out of the paying account count.
 */
function readDelivery(executed: ExecutedTransaction, listed: ListedTokens): TokenDelivery | null {
  const { owner, to, data } = executed.transaction;
  const currency = to === null ? undefined : listed.get(to);
  const [, payee, amount] = transferData.exec(data) ?? [];
  if (!hasSucceeded(executed) || currency === undefined) return null;
  if (payee === undefined || amount === undefined) return null;
  const requestedUnits = BigInt(`0x${amount}`);
  const sent = movesOf(executed).filter((move) => move.contract === to && move.from === owner);
  const sentUnits = sum(sent);
  const receivedUnits = sum(sent.filter((move) => coreHex(move.to) === payee));
  if (requestedUnits === 0n || (receivedUnits === requestedUnits && sentUnits === requestedUnits))
    return null;
  return { currency, requestedUnits, receivedUnits, sentUnits };
}

function sum(moves: readonly { readonly units: bigint }[]): bigint {
  return moves.reduce((total, { units }) => total + units, 0n);
}
