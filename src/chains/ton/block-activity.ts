import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { type BlockContent, type BlockRef, ImpossibleAnswer } from "../port.ts";
import { type AccountContext, type Activity, activityOf, returnsMoney } from "./activity.ts";
import { readHistory } from "./history.ts";
import type { JettonWallets } from "./jetton-wallets.ts";
import type { Outcomes } from "./outcome.ts";
import { accountState, blockAt, masterchainInfo, type TransactionRef } from "./questions.ts";
import type { AskToncenter } from "./toncenter-node.ts";

/** The accounts that are read, and what is known about them. */
export type WatchedAccounts = Pick<AccountContext, "network" | "coin"> & {
  readonly chain: string;
  /** In their canonical spelling. */
  readonly accounts: readonly string[];
  readonly wallets: JettonWallets;
  readonly outcomes: Outcomes;
};

const none: TransactionRef = { lt: 0n, hash: "0".repeat(64) };

/**
 * The transactions of our accounts in a masterchain block, oldest first: those between the account's states after the block before and
 * after this one. Null if the node has another block at that height.
 */
export async function readActivities(
  ask: AskToncenter,
  watched: WatchedAccounts,
  block: Pick<BlockRef, "height" | "hash">,
): Promise<readonly Activity[] | null> {
  const { accounts, chain, network, wallets } = watched;
  const activities: Activity[] = [];
  for (const account of accounts) {
    const [state, before] = await Promise.all([
      ask(accountState(account, block.height)),
      block.height > 1 ? ask(accountState(account, block.height - 1)) : { last: none },
    ]);
    if (state.block !== block.hash) {
      const { header } = await ask(blockAt(block.height));
      if (header.hash !== block.hash) return null;
      throw new ImpossibleAnswer(chain, `a node answers block ${state.block} for ${block.hash}`);
    }
    if (state.last.lt === before.last.lt) continue;
    const executed = await readHistory(ask, network, account, state.last, before.last);
    const context = { ...watched, jettonWallets: await wallets.of(ask, account) };
    activities.push(...executed.toReversed().map((one) => activityOf(one, context)));
  }
  return activities;
}

/**
 * Completes what a block brought and took once it is known what became of our own payments in it. A payment of coin that came back is out of
 * the account until the transaction that returns it, so it is charged here and given back there.
 */
export async function settle(
  ask: AskToncenter,
  { chain, coin, outcomes }: WatchedAccounts,
  activities: readonly Activity[],
): Promise<readonly SettledActivity[]> {
  const settled: SettledActivity[] = [];
  for (const activity of activities) {
    const { charge, outgoing, transaction } = activity;
    if (outgoing === null) {
      settled.push({ ...activity, hasSucceeded: !returnsMoney(transaction) });
      continue;
    }
    const outcome = await outcomes.of(ask, transaction);
    if (outcome === "unsettled")
      throw new Unavailable(chain, `the payment ${activity.txid} is still on its way`);
    const hasSucceeded = outcome === "arrived";
    const away = outgoing.payments
      .filter(({ currency }) => currency === coin && !hasSucceeded)
      .reduce((sum, { units }) => sum + units, charge.amount.units);
    settled.push({
      ...activity,
      hasSucceeded,
      charge: { ...charge, amount: { units: away, currency: coin } },
    });
  }
  return settled;
}

export type SettledActivity = Activity & { readonly hasSucceeded: boolean };

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
