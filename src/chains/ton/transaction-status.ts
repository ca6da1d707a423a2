import { orderIdOf } from "./activity.ts";
import type { WatchedAccounts } from "./block-activity.ts";
import { walkBack } from "./history.ts";
import { accountState } from "./questions.ts";
import type { AskToncenter } from "./toncenter-node.ts";
import type { ExecutedTransaction } from "./transaction.ts";

/** How many of an account's newest transactions are searched; toncenter's API v2 finds none by its hash. */
const searchedMax = 1_000;

/** A transaction of these accounts by its id, or by that of the order that it executes, among their newest ones; null if it is not there. */
export async function findTransaction(
  ask: AskToncenter,
  { network }: Pick<WatchedAccounts, "network">,
  txid: string,
  accounts: readonly string[],
): Promise<ExecutedTransaction | null> {
  for (const account of accounts) {
    const { last } = await ask(accountState(account, null));
    let searched = 0;
    for await (const transaction of walkBack(ask, network, account, last, 0n)) {
      if (transaction.hash === txid || orderIdOf(transaction) === txid) return transaction;
      searched += 1;
      if (searched >= searchedMax) break;
    }
  }
  return null;
}
