import type { BlockRef } from "../port.ts";
import {
  type EvmBlock,
  type EvmReceipt,
  type EvmTransaction,
  readAddress,
  readBlock,
  readCount,
  readData,
  readFields,
  readHash,
  readHeader,
  readList,
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

/** The block of the best chain at that height; null when it is not there yet. */
export function headerByNumber(height: number | "latest"): Question<BlockRef | null> {
  const at = height === "latest" ? height : toQuantity(height);
  return { method: "eth_getBlockByNumber", params: [at, false], read: readHeader };
}

/** Null when the node does not know the block, or any more. */
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

/** Of all of a block's transactions, in their order; null when the node does not know the block. */
export function receiptsOf(hash: string): Question<readonly EvmReceipt[] | null> {
  return { method: "eth_getBlockReceipts", params: [hash], read: readReceipts };
}

/** Null while the transaction is in no block. It may be of a block that was replaced: its `blockHash` says which. */
export function receiptOf(txid: string): Question<EvmReceipt | null> {
  return { method: "eth_getTransactionReceipt", params: [txid], read: readReceipt };
}

/** In a block or waiting; null when the node has no such one. */
export function transactionOf(txid: string): Question<EvmTransaction | null> {
  return { method: "eth_getTransactionByHash", params: [txid], read: readTransaction };
}

/** What a transaction does, in lower case. */
export type UsedCall = {
  readonly from: string;
  /** Null for one that creates a contract. */
  readonly to: string | null;
  readonly value: bigint;
  readonly data: string;
};

/** What a transaction does; null when the node has no such one. */
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

/** EIP-155: which network the node is of. */
export function chainIdOf(): Question<number> {
  return { method: "eth_chainId", params: [], read: readCount };
}

/** Of the node's newest block. */
export function heightOf(): Question<number> {
  return { method: "eth_blockNumber", params: [], read: readCount };
}

/** Names a block by its hash where a question is about the state after it (EIP-1898). */
function after(hash: string): { readonly blockHash: string } {
  return { blockHash: hash };
}

/** How many transactions of the sender the chain holds up to the block: the nonce of its next one. */
export function nonceAt(sender: string, hash: string): Question<number> {
  return { method: "eth_getTransactionCount", params: [sender, after(hash)], read: readCount };
}

/** The coin that an address holds after the block. */
export function balanceAt(address: string, hash: string): Question<bigint> {
  return { method: "eth_getBalance", params: [address, after(hash)], read: readQuantity };
}

/** The tokens that an address holds after the block: ERC-20 `balanceOf(address)`. */
export function tokenBalanceAt(contract: string, address: string, hash: string): Question<bigint> {
  return {
    method: "eth_call",
    params: [{ to: contract, data: balanceCall(address) }, after(hash)],
    read: readWord,
  };
}

/** The data of a call of ERC-20 `balanceOf(address)`. */
export function balanceCall(address: string): string {
  return `0x70a08231${address.slice(2).toLowerCase().padStart(64, "0")}`;
}

/** What a call of a contract answers after the block. */
export function callAt(contract: string, data: string, hash: string): Question<string> {
  return { method: "eth_call", params: [{ to: contract, data }, after(hash)], read: readData };
}
