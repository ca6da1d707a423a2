import { hash } from "node:crypto";
import type { TransactionFormat } from "../../currencies/utxo-facts.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import {
  absentAsNull,
  readFields,
  readInteger,
  readList,
  readText,
  resultOrNull,
} from "./answer.ts";
import type { BlockSource, ChainTransaction } from "./block-source.ts";
import { claimsOf } from "./block-spends.ts";
import {
  categoryAt,
  outpointAt,
  type RawTransaction,
  readTransactionHead,
} from "./parse-transaction.ts";
import {
  type ChainRules,
  type KeptBlocks,
  readBlock,
  readRawBlock,
  readTxids,
} from "./read-block.ts";
import { readSenders } from "./senders.ts";
import { transactionIndexHeight } from "./transaction-index.ts";

/** Reads blocks and transactions as bytes, whose hashes prove them. */
export function createByteSource(rpc: JsonRpc, rules: ChainRules): BlockSource {
  const { transactionFormat } = rules.chain;
  const kept: KeptBlocks = new WeakMap();
  return {
    readBlock: (block, signal, mayBeWatched) =>
      readBlock(rpc, rules, block, signal, mayBeWatched, kept),
    txidsIn: (block, signal) => readTxids(rpc, rules, block, signal),
    findSpender: async (hash, claims, signal) => {
      const block = await readRawBlock(rpc, rules, hash, signal);
      if (block === null) return null;
      const { bytes, parentHash, transactions, txids } = block;
      const position = transactions.findIndex(({ inputs }) =>
        inputs.some((inputAt) => claims.has(outpointAt(bytes, inputAt))),
      );
      const found = transactions[position];
      const spender =
        found === undefined ? null : chainTransaction(bytes, found, txids[position] ?? "");
      return { parentHash, spender };
    },
    transactions: async (txids, signal) => {
      const answers = await rpc.batch(
        txids.map((txid) => ({ method: "getrawtransaction", params: [txid, false] })),
        signal,
      );
      return new Map(
        txids.flatMap((txid, index): [string, ChainTransaction][] => {
          const answer = answers[index];
          const hex = answer === undefined ? null : resultOrNull(answer);
          if (hex === null) return [];
          return [
            [txid, pendingTransaction(Buffer.from(readText(hex), "hex"), txid, transactionFormat)],
          ];
        }),
      );
    },
    senders: (txids, block, signal) => readSenders(rpc, rules, txids, block, signal, kept),
    mempool: async (signal) => {
      if (rules.chain.mempoolUnnumbered === true) return await unnumberedMempool(rpc, signal);
      const fields = readFields(await rpc.call("getrawmempool", [false, true], signal));
      return {
        txids: readList(fields["txids"]).map(readText),
        version: `${readInteger(fields["mempool_sequence"])}`,
      };
    },
    isPending: async (txid, signal) =>
      (await absentAsNull(rpc.call<unknown>("getmempoolentry", [txid], signal))) !== null,
    indexedHeight: (signal) => transactionIndexHeight(rpc, signal),
  };
}

/** Without the node's own number, the ids themselves tell whether anything has changed. */
async function unnumberedMempool(
  rpc: JsonRpc,
  signal: AbortSignal,
): ReturnType<BlockSource["mempool"]> {
  const txids = readList(await rpc.call("getrawmempool", [false], signal)).map(readText);
  return { txids, version: hash("sha256", txids.toSorted().join()) };
}

/** Parses an unconfirmed transaction; extension data may follow its outputs. */
export function pendingTransaction(
  bytes: Buffer,
  txid: string,
  format: TransactionFormat = "flagged",
): ChainTransaction {
  return chainTransaction(bytes, readTransactionHead({ bytes, at: 0 }, format), txid);
}

function chainTransaction(
  bytes: Buffer,
  transaction: RawTransaction,
  txid: string,
): ChainTransaction {
  return {
    txid,
    claims: claimsOf(bytes, transaction),
    outputs: transaction.outputs.map(({ tokensAt, units, scriptAt, scriptLength }) => ({
      units,
      script: bytes.toString("hex", scriptAt, scriptAt + scriptLength),
      ...(tokensAt === undefined ? {} : { token: categoryAt(bytes, tokensAt) }),
    })),
  };
}
