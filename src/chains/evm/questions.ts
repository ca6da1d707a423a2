import type { BlockRef } from "../port.ts";
import { readFields, readList } from "../rpc/answer.ts";
import {
  type EvmBlock,
  type EvmReceipt,
  type EvmTransaction,
  readAddress,
  readBlock,
  readCount,
  readData,
  readHash,
  readHeader,
  readQuantity,
  readReceipt,
  readReceipts,
  readTransaction,
  readWord,
} from "./answer.ts";
import type { Question } from "./evm-node.ts";

/** `quantity` as the execution-apis want it: hex without leading zeros. */
export function toQuantity(count: number): string {
  return `0x${count.toString(16)}`;
}

/** The best chain's block at that height; null when it is not there yet. */
export function headerByNumber(height: number | "latest"): Question<BlockRef | null> {
  const at = height === "latest" ? height : toQuantity(height);
  return { method: "eth_getBlockByNumber", params: [at, false], read: readHeader };
}

/** Null when the node does not know the block, or no longer does. */
export function headerByHash(hash: string): Question<BlockRef | null> {
  return { method: "eth_getBlockByHash", params: [hash, false], read: readHeader };
}

/** With its transactions; null when the node does not know the block. */
export function blockByHash(hash: string): Question<EvmBlock | null> {
  return { method: "eth_getBlockByHash", params: [hash, true], read: readBlock };
}

/** Ids of the block's transactions; null when the node has no such block. */
export function txidsOf(hash: string): Question<readonly string[] | null> {
  return {
    method: "eth_getBlockByHash",
    params: [hash, false],
    read: (block) =>
      block === null ? null : readList(readFields(block)["transactions"]).map(readHash),
  };
}

/** The receipts of all of a block's transactions, in order; null when the node does not know the block. */
export function receiptsOf(hash: string): Question<readonly EvmReceipt[] | null> {
  return { method: "eth_getBlockReceipts", params: [hash], read: readReceipts };
}

/** Null while the transaction is in no block. The block may have been replaced: `blockHash` tells which one it is. */
export function receiptOf(txid: string): Question<EvmReceipt | null> {
  return { method: "eth_getTransactionReceipt", params: [txid], read: readReceipt };
}

/** A transaction in a block or pending; null when the node does not know it. */
export function transactionOf(txid: string): Question<EvmTransaction | null> {
  return { method: "eth_getTransactionByHash", params: [txid], read: readTransaction };
}

/** A transaction's call, in lower case. */
export type UsedCall = {
  readonly from: string;
  /** Null for a transaction that creates a contract. */
  readonly to: string | null;
  readonly value: bigint;
  readonly data: string;
};

/** A transaction's call; null when the node does not know the transaction. */
export function callOf(txid: string): Question<UsedCall | null> {
  return {
    method: "eth_getTransactionByHash",
    params: [txid],
    read: (result) => {
      if (result === null) return null;
      const { from, to, value, input } = readFields(result) as Record<string, unknown>;
      return {
        from: readAddress(from),
        to: to === null || to === undefined ? null : readAddress(to),
        value: readQuantity(value),
        data: readData(input),
      };
    },
  };
}

/** EIP-155: identifies the node's network. */
export function chainIdOf(): Question<number> {
  return { method: "eth_chainId", params: [], read: readCount };
}

/** Of the node's newest block. */
export function heightOf(): Question<number> {
  return { method: "eth_blockNumber", params: [], read: readCount };
}

/** Names a block by its hash in questions about the state after it (EIP-1898). */
function after(hash: string): { readonly blockHash: string } {
  return { blockHash: hash };
}

/** The sender's transaction count up to the block: the nonce of its next transaction. */
export function nonceAt(sender: string, hash: string): Question<number> {
  return { method: "eth_getTransactionCount", params: [sender, after(hash)], read: readCount };
}

/** The address's balance of the coin after the block. */
export function balanceAt(address: string, hash: string): Question<bigint> {
  return { method: "eth_getBalance", params: [address, after(hash)], read: readQuantity };
}

/** The address's balance of the token after the block: ERC-20 `balanceOf(address)`. Null if the contract returns something else. */
export function tokenBalanceAt(
  contract: string,
  address: string,
  hash: string,
): Question<bigint | null> {
  return {
    method: "eth_call",
    params: [{ to: contract, data: balanceCall(address) }, after(hash)],
    read: readWord,
  };
}

/** Call data of ERC-20 `balanceOf(address)`. */
export function balanceCall(address: string): string {
  return `0x70a08231${address.slice(2).toLowerCase().padStart(64, "0")}`;
}

/** The result of a contract call after the block. */
export function callAt(contract: string, data: string, hash: string): Question<string> {
  return { method: "eth_call", params: [{ to: contract, data }, after(hash)], read: readData };
}
