import type { BlockRef } from "../port.ts";
import {
  isNothing,
  readBlock,
  readHeader,
  readReceipt,
  readReceipts,
  readTransaction,
  type TronBlock,
  type TronReceipt,
  type TronTransaction,
} from "./answer.ts";
import type { TronQuestion } from "./tron-node.ts";

/** The part of the chain that answers: up to the newest block, which may still be replaced, or up to the solid one. */
export type View = "wallet" | "walletsolidity";

/** The header of the view's newest block. */
export function newestHeader(view: View): TronQuestion<BlockRef | null> {
  return { path: `/${view}/getblock`, body: { detail: false }, read: readHeader };
}

/** The header at a height; null above the view's newest block, and if the node no longer keeps so old a block. */
export function headerAt(view: View, height: number): TronQuestion<BlockRef | null> {
  return {
    path: `/${view}/getblock`,
    body: { id_or_num: String(height), detail: false },
    read: readHeader,
  };
}

/** The block with that id in full; null if the view does not have it. */
export function blockWithId(view: View, hash: string): TronQuestion<TronBlock | null> {
  return { path: `/${view}/getblockbyid`, body: { value: hash }, read: readBlock };
}

/** The receipts of the view's block at a height; empty above its newest block, and if the node keeps none. */
export function receiptsAt(view: View, height: number): TronQuestion<readonly TronReceipt[]> {
  return {
    path: `/${view}/gettransactioninfobyblocknum`,
    body: { num: height },
    read: readReceipts,
  };
}

/** A transaction of any block; null when no block of the node contains it. */
export function transactionWithId(txid: string): TronQuestion<TronTransaction | null> {
  return {
    path: "/wallet/gettransactionbyid",
    body: { value: txid },
    read: (document) => (isNothing(document) ? null : readTransaction(document)),
  };
}

/** The receipt of a transaction of any block; null when no block of the node contains it. */
export function receiptOf(txid: string): TronQuestion<TronReceipt | null> {
  return {
    path: "/wallet/gettransactioninfobyid",
    body: { value: txid },
    read: (document) => (isNothing(document) ? null : readReceipt(document)),
  };
}

/** Whether the transaction waits in the node's pool for a block. */
export function isInPool(txid: string): TronQuestion<boolean> {
  return {
    path: "/wallet/gettransactionfrompending",
    body: { value: txid },
    read: (document) => !isNothing(document),
  };
}
