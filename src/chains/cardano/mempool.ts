import { readFields } from "../rpc/answer.ts";
import { type CardanoTransaction, readTransaction } from "./block.ts";
import type { CardanoLink } from "./cardano-node.ts";

/** Transactions listed at once; a node's mempool holds two blocks, each of which has room for about 300. */
const listedMax = 5_000;

/** What waits for a block at the node. Each call takes a new snapshot. */
export async function readMempool(link: CardanoLink): Promise<readonly CardanoTransaction[]> {
  return await link.inMempool(async ({ ask }) => {
    await ask("acquireMempool");
    const found: CardanoTransaction[] = [];
    while (found.length < listedMax) {
      const { transaction } = readFields(await ask("nextTransaction", { fields: "all" })) as {
        transaction?: unknown;
      };
      if (transaction === null || transaction === undefined) break;
      found.push(readTransaction(transaction));
    }
    // Otherwise the next snapshot would wait until the mempool has changed.
    await ask("releaseMempool");
    return found;
  });
}

/** Whether the transaction waits for a block at the node. */
export async function isWaiting(link: CardanoLink, txid: string): Promise<boolean> {
  return await link.inMempool(async ({ ask }) => {
    await ask("acquireMempool");
    const isThere = await ask("hasTransaction", { id: txid });
    await ask("releaseMempool");
    return isThere === true;
  });
}
