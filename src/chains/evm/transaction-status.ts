import { present } from "../../platform/kernel/assert.ts";
import type { BlockRef, TransactionStatus } from "../port.ts";
import type { EvmReceipt, EvmTransaction } from "./answer.ts";
import type { EvmNode } from "./evm-node.ts";
import { headerByHash, headerByNumber, nonceAt, receiptOf, transactionOf } from "./questions.ts";
import { parseNonceClaim } from "./senders.ts";

/**
 * The status of a transaction. If its sender's nonce is used while the node does not know the transaction, another one replaced
 * it; the node cannot tell which.
 */
export async function readTransactionStatus(
  node: EvmNode,
  txid: string,
  spends: readonly string[],
  signal: AbortSignal,
): Promise<TransactionStatus> {
  const [latest, transaction, receipt] = await node.askAll(
    [headerByNumber("latest"), transactionOf(txid), receiptOf(txid)],
    signal,
  );
  const place = placeOf(transaction, receipt);
  if (place !== null || latest === null) return place ?? { kind: "unknown" };
  return await statusOfUnknown(node, txid, spends, latest, signal);
}

/**
 * Compares nonces at one block and looks up the transaction again on a node that has this block: it may be in a block that
 * arrived between the requests, and several nodes may share one URL.
 */
async function statusOfUnknown(
  node: EvmNode,
  txid: string,
  spends: readonly string[],
  latest: BlockRef,
  signal: AbortSignal,
): Promise<TransactionStatus> {
  const claims = spends.flatMap((spend) => parseNonceClaim(spend) ?? []);
  const [transaction, receipt, block, ...nonces] = await node.askAll(
    [
      transactionOf(txid),
      receiptOf(txid),
      headerByHash(latest.hash),
      ...claims.map(({ sender }) => nonceAt(sender, latest.hash)),
    ],
    signal,
  );
  const place = placeOf(transaction, receipt);
  if (place !== null) return place;
  const isReplaced = claims.some(
    ({ nonce }, position) => present(nonces[position], "a nonce per sender") > nonce,
  );
  return block !== null && isReplaced
    ? { kind: "conflicted", by: null, height: null }
    : { kind: "unknown" };
}

function placeOf(
  transaction: EvmTransaction | null,
  receipt: EvmReceipt | null,
): TransactionStatus | null {
  const height = receipt?.height ?? transaction?.height ?? null;
  if (height !== null) return { kind: "included", height };
  return transaction === null ? null : { kind: "pending" };
}
