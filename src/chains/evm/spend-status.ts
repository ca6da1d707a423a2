import { assert } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { Draft, SpendStatus } from "../paying-port.ts";
import type { BlockRef, TransactionReceipt } from "../port.ts";
import type { EvmReceipt } from "./answer.ts";
import type { EvmNode } from "./evm-node.ts";
import { findNonceUse } from "./find-nonce-use.ts";
import { headerByHash, headerByNumber, nonceAt, receiptOf, transactionOf } from "./questions.ts";
import { parseNonceClaim } from "./senders.ts";
import type { ExecutedCall } from "./token-delivery.ts";
import { type OwnTokens, toTransactionReceipt } from "./transaction-receipt.ts";

/**
 * The status of one of our transactions. If another transaction used its nonce, that one is named where the node shows it; if it
 * makes the same payment, the status is ours, mined.
 */
export async function readSpendStatus(
  node: EvmNode,
  tokens: OwnTokens,
  txid: string,
  draft: Draft,
  signal: AbortSignal,
): Promise<SpendStatus> {
  const [latest, transaction, receipt] = await node.askAll(
    [headerByNumber("latest"), transactionOf(txid), receiptOf(txid)],
    signal,
  );
  // A transaction that makes the same payment has the same call, whatever its fees.
  const minedOr = (found: EvmReceipt): Promise<SpendStatus> =>
    minedOrPending(node, found, () => toTransactionReceipt(found, callOf(draft), tokens), signal);
  if (receipt !== null) return await minedOr(receipt);
  if (transaction !== null) return { kind: "pending" };
  const [claim] = draft.claims.flatMap((text) => parseNonceClaim(text) ?? []);
  if (latest === null || claim === undefined) return { kind: "unknown" };

  // Read at one block, then the transaction is looked up again on a node that holds this block: it may have been mined in
  // between.
  const [again, mined, block, nonce] = await node.askAll(
    [
      transactionOf(txid),
      receiptOf(txid),
      headerByHash(latest.hash),
      nonceAt(claim.sender, latest.hash),
    ],
    signal,
  );
  if (mined !== null) return await minedOr(mined);
  if (again !== null) return { kind: "pending" };
  if (block === null || nonce <= claim.nonce) return { kind: "unknown" };
  const use = await findNonceUse(node, claim, latest, signal);
  if (use.txid === null || !isSameCall(draft, use.call))
    return { kind: "conflicted", by: use.txid, block: use.block };
  const other = await node.ask(receiptOf(use.txid), signal);
  if (other === null) throw new Unavailable(node.chain, `no receipt of ${use.txid} yet`);
  return await minedOr(other);
}

/** A node may show receipts of blocks that it has replaced; their transactions are pending again. */
async function minedOrPending(
  node: EvmNode,
  receipt: EvmReceipt,
  mined: () => TransactionReceipt,
  signal: AbortSignal,
): Promise<SpendStatus> {
  const block: BlockRef | null = await node.ask(headerByNumber(receipt.height), signal);
  if (block?.hash !== receipt.blockHash) return { kind: "pending" };
  return { kind: "mined", block, ...mined() };
}

function callOf({ body: { from, to, data } }: Draft): ExecutedCall {
  assert(
    typeof from === "string" && typeof to === "string",
    "a draft with a sender and a receiver",
  );
  assert(typeof data === "string", "a draft with data");
  return { from, to, data };
}

type Call = { readonly to: string | null; readonly value: bigint; readonly data: string };

function isSameCall({ body }: Draft, call: Call): boolean {
  const { to, value, data } = body;
  return to === call.to && value === call.value.toString() && data === call.data;
}
