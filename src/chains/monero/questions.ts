import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import type { BlockRef } from "../port.ts";
import { type Fields, Malformed, readFields, readText } from "../rpc/answer.ts";
import { readBytes, readHash, readList, readNumber } from "./answer.ts";
import { type MoneroBlock, readBlock } from "./block.ts";
import type { AskMonerod, MonerodQuestion } from "./monerod-node.ts";
import {
  isFirstVersion,
  type MoneroTransaction,
  readFirstVersion,
  readTransaction,
} from "./transaction.ts";

/*
 * What is asked of monerod. All of it is answered by nodes with a restricted interface (`--restricted-rpc`) too.
 */

/** A header, and whether its block is on the node's best chain. */
type Header = { readonly ref: BlockRef; readonly isOnBestChain: boolean };

/* Errors of src/rpc/core_rpc_server_error_codes.h. */
const tooHigh = -2;
const internalError = -5;

/** The network's name and the hash of its newest block. */
export const networkInfo: MonerodQuestion<{ readonly nettype: string; readonly tip: string }> = {
  method: "get_info",
  body: {},
  read: (answer) => ({
    nettype: readText(answer["nettype"]),
    tip: readHash(answer["top_block_hash"]),
  }),
};

export const newestHeader: MonerodQuestion<BlockRef> = {
  method: "get_last_block_header",
  body: {},
  read: (answer) => readHeader(answer["block_header"]).ref,
};

/** The header at a height of the best chain; null above its tip. */
export function headerAtHeight(height: number): MonerodQuestion<BlockRef | null> {
  return {
    method: "get_block_header_by_height",
    body: { height },
    read: (answer) => readHeader(answer["block_header"]).ref,
    onError: { [tooHigh]: () => null },
  };
}

/** The header with that hash if it is on the best chain, else null. */
export function headerWithHash(hash: string): MonerodQuestion<BlockRef | null> {
  return {
    method: "get_block_header_by_hash",
    body: { hash },
    read: (answer) => onBestChain(answer)?.ref ?? null,
    onError: { [internalError]: absentBlock },
  };
}

/** A block with that hash on the best chain: its header as the node states it, and its bytes. Null if the node has none. */
export function blockWithHash(
  hash: string,
): MonerodQuestion<{ readonly ref: BlockRef; readonly block: MoneroBlock } | null> {
  return {
    method: "get_block",
    body: { hash },
    read: (answer) => {
      const header = onBestChain(answer);
      if (header === null) return null;
      return { ref: header.ref, block: readBlock(readBytes(answer["blob"])) };
    },
    onError: { [internalError]: absentBlock },
  };
}

function absentBlock(message: string): null {
  if (/can't get block|not found/i.test(message)) return null;
  throw new Malformed(`the error "${message}"`);
}

function onBestChain(answer: Fields): Header | null {
  const header = readHeader(answer["block_header"]);
  return header.isOnBestChain ? header : null;
}

function readHeader(value: unknown): Header {
  const fields = readFields(value);
  const seconds = readNumber(fields["timestamp"]);
  if (seconds >= 2 ** 32) throw new Malformed(`the time ${seconds}`);
  return {
    ref: {
      height: readNumber(fields["height"]),
      hash: readHash(fields["hash"]),
      parentHash: readHash(fields["prev_hash"]),
      time: instantFromSeconds(seconds),
    },
    isOnBestChain: fields["orphan_status"] === false,
  };
}

/** A transaction, and the height of its block; null while it waits for one. */
export type LocatedTransaction = {
  readonly transaction: MoneroTransaction;
  readonly height: number | null;
};

/** The most transactions that a restricted node returns at once. */
export const transactionsAtOnce = 100;

/**
 * Those of the transactions that the node has, in blocks or waiting, by id. At most `transactionsAtOnce`. Nodes answer with the pruned bytes,
 * and those of version 1 say nothing of their id: such a transaction is asked for again with its signatures, which nodes never prune.
 */
export async function transactionsWithIds(
  ask: AskMonerod,
  txids: readonly string[],
): Promise<ReadonlyMap<string, LocatedTransaction>> {
  const { first, located } = await ask(prunedTransactions(txids));
  return first.length === 0
    ? located
    : new Map([...located, ...(await ask(firstVersionTransactions(first)))]);
}

type PrunedAnswer = {
  readonly located: ReadonlyMap<string, LocatedTransaction>;
  /** The ids of those of version 1. */
  readonly first: readonly string[];
};

function prunedTransactions(txids: readonly string[]): MonerodQuestion<PrunedAnswer> {
  return {
    path: "/get_transactions",
    body: { txs_hashes: txids, decode_as_json: false, prune: true },
    read: (answer) => {
      const first: string[] = [];
      const located = new Map<string, LocatedTransaction>();
      for (const fields of readAsked(answer, txids)) {
        const txid = readHash(fields["tx_hash"]);
        const pruned = readBytes(fields["pruned_as_hex"]);
        if (isFirstVersion(pruned)) first.push(txid);
        else located.set(txid, locatedIn(fields, readPruned(pruned, fields)));
      }
      return { first, located };
    },
  };
}

function firstVersionTransactions(
  txids: readonly string[],
): MonerodQuestion<ReadonlyMap<string, LocatedTransaction>> {
  return {
    path: "/get_transactions",
    body: { txs_hashes: txids, decode_as_json: false, prune: false, split: true },
    read: (answer) =>
      new Map(
        readAsked(answer, txids).map((fields) => {
          const parts = [fields["pruned_as_hex"], fields["prunable_as_hex"]].map(readBytes);
          return [
            readHash(fields["tx_hash"]),
            locatedIn(fields, readFirstVersion(Buffer.concat(parts))),
          ] as const;
        }),
      ),
  };
}

function readAsked(answer: Fields, txids: readonly string[]): readonly Fields[] {
  const asked = new Set(txids);
  return readList(answer["txs"]).map((item) => {
    const fields = readFields(item);
    const txid = readHash(fields["tx_hash"]);
    if (!asked.has(txid)) throw new Malformed(`the transaction ${txid}, not asked for`);
    return fields;
  });
}

const noHash = "0".repeat(64);

function readPruned(pruned: Uint8Array, fields: Fields): MoneroTransaction {
  const prunableHash = readHash(fields["prunable_hash"] ?? noHash);
  return readTransaction(pruned, prunableHash === noHash ? null : Buffer.from(prunableHash, "hex"));
}

function locatedIn(fields: Fields, transaction: MoneroTransaction): LocatedTransaction {
  if (transaction.txid !== fields["tx_hash"])
    throw new Malformed(`other bytes than those of ${String(fields["tx_hash"])}`);
  const height = fields["in_pool"] === true ? null : readNumber(fields["block_height"]);
  return { transaction, height };
}

/** Ids of the transactions that wait for a block. */
export const pendingIds: MonerodQuestion<readonly string[]> = {
  path: "/get_transaction_pool_hashes",
  body: {},
  read: (answer) => readList(answer["tx_hashes"]).map(readHash),
};

export type KeyImageState = "unspent" | "spent" | "pending";

const keyImageStates = ["unspent", "spent", "pending"] as const;

/** Whether a block, or a waiting transaction, spends the output of each key image. */
export function statesOfKeyImages(
  keyImages: readonly string[],
): MonerodQuestion<readonly KeyImageState[]> {
  return {
    path: "/is_key_image_spent",
    body: { key_images: keyImages },
    read: (answer) => {
      const states = readList(answer["spent_status"]).map((value) => {
        const state = keyImageStates[readNumber(value)];
        if (state === undefined) throw new Malformed("an unknown state of a key image");
        return state;
      });
      if (states.length !== keyImages.length) throw new Malformed("states of other key images");
      return states;
    },
  };
}
