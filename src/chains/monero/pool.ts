import type { OutgoingTransaction, Transfer } from "../port.ts";
import type { AskMonerod, MonerodNode } from "./monerod-node.ts";
import { pendingIds, transactionsAtOnce, transactionsWithIds } from "./questions.ts";
import { keyImagesIn, outgoing } from "./read-content.ts";
import type { MoneroTransaction } from "./transaction.ts";
import { type ScanTerms, transfersOf } from "./transfers.ts";

/** Reads what waits for a block. */
export type PoolReader = {
  readonly transfers: (signal: AbortSignal) => Promise<readonly Transfer[]>;
  readonly spends: (
    isOurs: (source: string) => boolean,
    signal: AbortSignal,
  ) => Promise<readonly OutgoingTransaction[]>;
};

type Waiting = {
  readonly transaction: MoneroTransaction;
  readonly transfers: readonly Transfer[];
};

/** Only transactions that are new since the last call are read and scanned; the cache lives as long as the reader. */
export function createPoolReader(node: MonerodNode, terms: ScanTerms): PoolReader {
  const known = new Map<string, Waiting>();

  const read = async (ask: AskMonerod): Promise<readonly Waiting[]> => {
    const txids = await ask(pendingIds);
    const present = new Set(txids);
    for (const txid of known.keys()) if (!present.has(txid)) known.delete(txid);
    const unknown = txids.filter((txid) => !known.has(txid));
    for (let from = 0; from < unknown.length; from += transactionsAtOnce) {
      // Leaves out what has left the pool in between.
      const found = await transactionsWithIds(ask, unknown.slice(from, from + transactionsAtOnce));
      for (const [txid, { height, transaction }] of found)
        if (height === null)
          known.set(txid, { transaction, transfers: transfersOf(terms, transaction) });
    }
    return [...known.values()];
  };

  return {
    transfers: async (signal) =>
      (await node.consult(read, signal)).flatMap(({ transfers }) => transfers),
    spends: async (isOurs, signal) => {
      const waiting = await node.consult(read, signal);
      return waiting.flatMap(({ transaction }) =>
        keyImagesIn(transaction).some(isOurs) ? [outgoing(terms, transaction)] : [],
      );
    },
  };
}
