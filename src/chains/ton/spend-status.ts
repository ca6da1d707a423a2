import { present } from "../../platform/kernel/assert.ts";
import { microsPerSecond } from "../../platform/kernel/clock.ts";
import type { Draft, SpendStatus } from "../paying-port.ts";
import type { BlockRef } from "../port.ts";
import { activityOf, orderIdOf } from "./activity.ts";
import { passingOf, settle, type WatchedAccounts } from "./block-activity.ts";
import { endOf } from "./draft-payment.ts";
import { timeoutSeconds } from "./highload-wallet.ts";
import { heightOf, walkBack } from "./history.ts";
import { numberOf, queryIdOf } from "./query-id.ts";
import {
  accountState,
  blockAt,
  getMethod,
  masterchainInfo,
  type TransactionRef,
} from "./questions.ts";
import { receiptOf } from "./receipt.ts";
import type { AskToncenter } from "./toncenter-node.ts";
import type { ExecutedTransaction } from "./transaction.ts";

/** The status of one of our messages. Nodes do not show what waits for a block, so it is unknown until one has it. */
export async function readSpendStatus(
  ask: AskToncenter,
  watched: WatchedAccounts,
  txid: string,
  draft: Draft,
): Promise<SpendStatus> {
  const [account = "", numberText = ""] = present(draft.claims[0], "a claim").split("#");
  const number = BigInt(numberText);
  const createdAt = Number(draft.body["createdAt"]);
  const { height } = await ask(masterchainInfo);
  const [state, newest] = await Promise.all([
    ask(accountState(account, height)),
    ask(blockAt(height)),
  ]);
  // A wallet remembers what it executed for as long as the message is valid.
  const isRemembered = newest.header.time < (createdAt + timeoutSeconds) * microsPerSecond;
  if (isRemembered && !(await isProcessed(ask, account, number))) return { kind: "unknown" };
  const claim = `${account}#${numberOf(queryIdOf(number))}`;
  const jettonWallets = await watched.wallets.of(ask, account);
  for await (const one of searched(
    ask,
    watched,
    account,
    state.last,
    createdAt,
    endOf(createdAt),
  )) {
    const passing = await passingOf(ask, watched.network, one);
    const activity = activityOf(one, { ...watched, jettonWallets }, passing);
    if (activity.outgoing?.claims.includes(claim) !== true) continue;
    const at = await heightOf(ask, account, one.lt, height);
    const { header } = await ask(blockAt(at));
    if (activity.txid !== txid) return { kind: "conflicted", by: activity.txid, block: header };
    const [settled] = await settle(ask, watched, [activity]);
    return {
      kind: "mined",
      block: header,
      ...receiptOf(present(settled, "the settled transaction")),
    };
  }
  return { kind: "unknown" };
}

async function isProcessed(ask: AskToncenter, account: string, number: bigint): Promise<boolean> {
  const queryId = queryIdOf(number).toString();
  const answer = await ask(
    getMethod(
      account,
      "processed?",
      [
        ["num", queryId],
        ["num", "-1"],
      ],
      null,
    ),
  );
  return answer?.[0] === -1n;
}

/** The account's transactions in which a message that was made then may be, newest first. */
async function* searched(
  ask: AskToncenter,
  { network }: WatchedAccounts,
  account: string,
  newest: TransactionRef,
  from: number,
  to: number,
): AsyncGenerator<ExecutedTransaction> {
  for await (const one of walkBack(ask, network, account, newest, 0n)) {
    if (one.time < from) return;
    if (one.time <= to) yield one;
  }
}

/**
 * See `ChainWriter.isMissingUpTo`. False if the node has not reached the block; rejects with `NodeFault` if it has no longer the wallet's transactions
 * since the message was made.
 */
export async function isMissingUpTo(
  ask: AskToncenter,
  watched: WatchedAccounts,
  txid: string,
  { body, claims }: Pick<Draft, "body" | "claims">,
  { hash, height }: Pick<BlockRef, "height" | "hash">,
): Promise<boolean> {
  if (height < 1 || height > (await ask(masterchainInfo)).height) return false;
  const { header } = await ask(blockAt(height));
  if (header.hash !== hash) return false;
  const [account = ""] = present(claims[0], "a claim").split("#");
  const createdAt = Number(body["createdAt"]);
  const { last } = await ask(accountState(account, height));
  // The wallet executes no message before the time at which it was made.
  for await (const one of searched(ask, watched, account, last, createdAt, endOf(createdAt)))
    if (orderIdOf(one) === txid) return false;
  return true;
}
