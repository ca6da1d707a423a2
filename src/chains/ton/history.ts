import type { TonNetworkKind } from "../../currencies/ton-address.ts";
import { NodeFault } from "../rpc/node-error.ts";
import { accountState, type TransactionRef, transactionsFrom } from "./questions.ts";
import type { AskToncenter } from "./toncenter-node.ts";
import type { ExecutedTransaction } from "./transaction.ts";

/** Answers of so many pages are read for one question. */
const pagesMax = 1_000;

/**
 * The transactions of an account from `newest` back to those after `after`, newest first. Each transaction names the one before it by its
 * hash, so a node can leave none out: rejects with `NodeFault` for a gap. Null if the account was deleted after `after`, and with it that history.
 */
export async function readHistory(
  ask: AskToncenter,
  network: TonNetworkKind,
  account: string,
  newest: TransactionRef,
  after: TransactionRef,
): Promise<readonly ExecutedTransaction[] | null> {
  const found: ExecutedTransaction[] = [];
  for await (const transaction of walkBack(ask, network, account, newest, after.lt))
    found.push(transaction);
  const reached = found.at(-1)?.previous ?? newest;
  if (reached.lt === after.lt && reached.hash === after.hash) return found;
  if (reached.lt === 0n) return null;
  throw new NodeFault("garbage", `leaves out transactions of ${account} before ${reached.lt}`);
}

/**
 * The transactions of an account from `newest` on, newest first, down to those after `toLt`. Ends early where the caller stops; rejects with
 * `NodeFault` for a gap.
 */
export async function* walkBack(
  ask: AskToncenter,
  network: TonNetworkKind,
  account: string,
  newest: TransactionRef,
  toLt: bigint,
): AsyncGenerator<ExecutedTransaction> {
  let next = newest;
  for (let page = 0; page < pagesMax && next.lt > toLt; page += 1) {
    const answer = await ask(transactionsFrom(account, network, next, toLt));
    if (answer.length === 0)
      throw new NodeFault("garbage", `has no transaction ${next.lt} of ${account}`);
    for (const transaction of answer) {
      const { hash, lt, previous } = transaction;
      if (lt !== next.lt || hash !== next.hash || transaction.account !== account)
        throw new NodeFault("garbage", `answers ${lt} of ${transaction.account} for ${next.lt}`);
      yield transaction;
      next = previous;
      if (next.lt <= toLt) break;
    }
  }
  if (next.lt > toLt) throw new NodeFault("denied", `has too long a history of ${account}`);
}

/** The first masterchain block after which the account has that transaction, at most `highest`, at which it has it. */
export async function heightOf(
  ask: AskToncenter,
  account: string,
  lt: bigint,
  highest: number,
): Promise<number> {
  const has = async (height: number): Promise<boolean> =>
    (await ask(accountState(account, height))).last.lt >= lt;
  let step = 1;
  let known = highest;
  let below = Math.max(0, highest - step);
  while (below > 0 && (await has(below))) {
    known = below;
    step *= 2;
    below = Math.max(0, below - step);
  }
  while (known - below > 1) {
    const middle = Math.floor((known + below) / 2);
    if (await has(middle)) known = middle;
    else below = middle;
  }
  return known;
}
