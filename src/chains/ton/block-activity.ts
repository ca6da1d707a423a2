import type { TonNetworkKind } from "../../currencies/ton-address.ts";
import { present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { BlockContent, BlockRef, TransactionReceipt } from "../port.ts";
import { type AccountContext, type Activity, activityOf, returnsMoney } from "./activity.ts";
import { type BlockHistory, type ReadBlockHistory, readListed } from "./block-history.ts";
import { inParts } from "./in-parts.ts";
import type { JettonWallets } from "./jetton-wallets.ts";
import { orderBefore, orderedMessages, passedOnTo } from "./orders.ts";
import type { Outcomes } from "./outcome.ts";
import { blockAt, masterchainInfo } from "./questions.ts";
import { quietArrivalOf } from "./quiet-arrival.ts";
import type { AskToncenter } from "./toncenter-node.ts";
import type { ExecutedTransaction } from "./transaction.ts";

/** The accounts that are read, and what is known about them. */
export type WatchedAccounts = Pick<AccountContext, "network" | "coin"> & {
  readonly chain: string;
  /** In their canonical spelling. */
  readonly accounts: readonly string[];
  readonly wallets: JettonWallets;
  readonly outcomes: Outcomes;
  readonly historyIn: ReadBlockHistory;
};

/**
 * What our accounts did in a masterchain block, each oldest first, and then what their wallets of jettons took without telling them. Null if the
 * node has another block at that height.
 */
export async function readActivities(
  ask: AskToncenter,
  watched: WatchedAccounts,
  block: Pick<BlockRef, "height" | "hash" | "parentHash">,
): Promise<readonly Activity[] | null> {
  const { accounts, network, wallets } = watched;
  const activities: Activity[] = [];
  for (const account of accounts) {
    const jettonWallets = await wallets.of(ask, account);
    const histories = await readHistories(ask, watched, [account, ...jettonWallets.keys()], block);
    if (histories === null) return null;
    for (const [one, executed] of histories) {
      const jetton = jettonWallets.get(one);
      for (const transaction of executed) {
        const activity =
          jetton === undefined
            ? activityOf(
                transaction,
                { ...watched, jettonWallets },
                await passingOf(ask, network, transaction),
              )
            : quietArrivalOf(transaction, { owner: account, jetton }, watched);
        if (activity !== null) activities.push(activity);
      }
    }
  }
  return activities;
}

/**
 * The transactions of an account and of its wallets of jettons in a block. An account that did not exist before may have been created twice there, or
 * be gone again, and its states do not show that. The coin that it had is gone with it; of jettons it can have been notified only if there is a wallet.
 */
async function readHistories(
  ask: AskToncenter,
  { historyIn, network }: WatchedAccounts,
  all: readonly [account: string, ...wallets: readonly string[]],
  block: Pick<BlockRef, "height" | "hash" | "parentHash">,
): Promise<ReadonlyMap<string, readonly ExecutedTransaction[]> | null> {
  const histories = new Map<string, BlockHistory>();
  for (const [one, history] of await inParts(
    all,
    async (one) => [one, await historyIn(ask, one, block)] as const,
  )) {
    if (history === null) return null;
    histories.set(one, history);
  }
  const [account, ...wallets] = all;
  const own = present(histories.get(account), "the account's history");
  const mayBeTold = wallets.some((wallet) => (histories.get(wallet)?.last.lt ?? 0n) > 0n);
  const executed = new Map([...histories].map(([one, history]) => [one, history.executed]));
  if (own.before.lt === 0n && mayBeTold)
    executed.set(account, await readListed(ask, network, account, block.height, own));
  return executed;
}

/**
 * Completes what a block brought and took once it is known what became of our own payments in it. A payment of coin that came back is out of
 * the account until the transaction that returns it, so it is charged here and given back there.
 */
export async function settle(
  ask: AskToncenter,
  { chain, coin, network, outcomes }: WatchedAccounts,
  activities: readonly Activity[],
): Promise<readonly SettledActivity[]> {
  const settled: SettledActivity[] = [];
  for (const activity of activities) {
    const { charge, outgoing, transaction } = activity;
    const ordered = orderedMessages(transaction, network);
    if (outgoing === null || ordered === null) {
      settled.push({ ...activity, hasSucceeded: !returnsMoney(transaction) });
      continue;
    }
    const found = await inParts(ordered, (message) => outcomes.of(ask, message));
    if (found.includes("unsettled"))
      throw new Unavailable(chain, `the payment ${activity.txid} is still on its way`);
    const outcomesOfSent = found.filter((_, place) => ordered[place] !== null);
    const returned = outgoing.payments
      .filter(({ currency }, place) => currency === coin && outcomesOfSent[place] === "returned")
      .reduce((sum, { units }) => sum + units, 0n);
    settled.push({
      ...activity,
      hasSucceeded: found.includes("arrived"),
      ...(ordered.length === 1
        ? {}
        : { payments: found.map((outcome) => (outcome === "arrived" ? "made" : "refused")) }),
      charge: { ...charge, amount: { units: charge.amount.units + returned, currency: coin } },
    });
  }
  return settled;
}

export type SettledActivity = Activity & Pick<TransactionReceipt, "hasSucceeded" | "payments">;

/** The transaction that passed on the payments that this one makes; null for none. */
export async function passingOf(
  ask: AskToncenter,
  network: TonNetworkKind,
  transaction: ExecutedTransaction,
): Promise<ExecutedTransaction | null> {
  const request = passedOnTo(transaction);
  return request === null ? null : await orderBefore(ask, network, transaction, request);
}

/** The block's content for the follower. Pure. */
export function contentOf(
  block: BlockRef,
  activities: readonly SettledActivity[],
  mayBeWatched: (watchKey: string) => boolean = () => true,
): BlockContent {
  const own = activities.flatMap(({ outgoing }) => outgoing ?? []);
  return {
    block,
    transfers: activities.flatMap(({ transfer }) =>
      transfer === null || !mayBeWatched(transfer.to) ? [] : [transfer],
    ),
    spends: {
      sources: () => own.flatMap(({ sender }) => sender ?? []),
      transactionsFrom: (ours) => own.filter(({ sender }) => sender !== null && ours.has(sender)),
    },
    charges: activities.flatMap(({ charge }) => (charge.amount.units === 0n ? [] : [charge])),
  };
}

/** The newest masterchain block of a node. */
export async function newestBlock(ask: AskToncenter): Promise<BlockRef> {
  const { height } = await ask(masterchainInfo);
  return (await ask(blockAt(height))).header;
}
