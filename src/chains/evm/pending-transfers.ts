import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Transfer } from "../port.ts";
import { type Fields, readFields, readList } from "../rpc/answer.ts";
import { type EvmTransaction, readHash, readTransaction } from "./answer.ts";
import type { EvmNode, Question } from "./evm-node.ts";
import { headerByNumber } from "./questions.ts";
import { transactionValue } from "./read-block.ts";

/**
 * Reads the node's pending block: the coin that its transactions carry, under the keys that they have in a block later. Left out:
 * tokens, since a contract's effect is known only after it has run, and everything that the latest block already contains.
 */
export function createPendingReader(
  node: EvmNode,
  coin: CurrencyId,
): (signal: AbortSignal) => Promise<readonly Transfer[]> {
  return async (signal) =>
    (await readPendingBlock(node, signal)).flatMap((transaction) =>
      transactionValue(transaction, coin),
    );
}

/** The transactions of the node's pending block. */
export async function readPendingBlock(
  node: EvmNode,
  signal: AbortSignal,
): Promise<readonly EvmTransaction[]> {
  const [latest, pending] = await node.askAll([headerByNumber("latest"), pendingBlock], signal);
  // Only a block on top of the latest one is certain to repeat none of its transactions; the next reading sees the rest.
  if (latest === null || pending === null || pending.parentHash !== latest.hash) return [];
  return pending.transactions;
}

type PendingBlock = {
  readonly parentHash: string;
  readonly transactions: readonly EvmTransaction[];
};

/** Its hash, and on some nodes its number, are null. */
const pendingBlock: Question<PendingBlock | null> = {
  method: "eth_getBlockByNumber",
  params: ["pending", true],
  read: (result) => {
    if (result === null) return null;
    const fields: Fields = readFields(result);
    return {
      parentHash: readHash(fields["parentHash"]),
      transactions: readList(fields["transactions"]).flatMap(
        (transaction) => readTransaction(transaction) ?? [],
      ),
    };
  },
};
