import type { BlockRef } from "../../chains/port.ts";
import { operatorAccountId, systemAccount } from "../../ledger/ledger-account.ts";
import { post } from "../../ledger/post.ts";
import { type Entry, type Position, postingsBetween } from "../../ledger/posting.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type Arrival, adoptArrivals, includeArrivals, orphanArrivals } from "./arrival.store.ts";
import { type BlockFacts, type FollowedTreasury, holdsCoins } from "./block-facts.ts";
import { type OwnSpend, paysOthers } from "./own-spends.ts";

/*
 * Transfers to the deployment's own addresses. New money is the operator's equity. Transfers from our own transactions are not
 * booked, because that money was already ours.
 */

/** Books a block's arrivals. Tokens that the deployment does not list are not booked. */
export async function bookArrivals(
  tx: Executor,
  chain: FollowedTreasury,
  block: BlockRef,
  { arrivals, ownSpends }: BlockFacts,
  now: Instant,
): Promise<void> {
  const found = arrivals.flatMap(({ transfer: { key, to, asset } }): readonly Arrival[] => {
    if (asset.kind !== "currency" || asset.amount.units === 0n) return [];
    const { units, currency } = asset.amount;
    const spendId = bringer(chain, ownSpends.get(key.txid));
    return [{ ...key, watchKey: to, currency, units, spendId }];
  });
  const recorded = await includeArrivals(tx, chain.chain, block, found, now);
  await book(tx, chain.chain, recorded.filter(isNewMoney), "in", now);
}

/**
 * The spend that brought the transfer; null for new money. On account chains a payout
 * to one of our own accounts counts as new money, because it was deducted from the payer's wallet. On UTXO chains it is the
 * payout's change.
 */
function bringer(chain: FollowedTreasury, spend: OwnSpend | undefined): string | null {
  if (spend === undefined) return null;
  return paysOthers(spend) && !holdsCoins(chain) ? null : spend.spendId;
}

/** Reverses the arrivals of the block at this height. */
export async function reverseArrivals(
  tx: Executor,
  chain: string,
  height: number,
  now: Instant,
): Promise<void> {
  const removed = await orphanArrivals(tx, chain, height);
  await book(tx, chain, removed.filter(isNewMoney), "out", now);
}

/** Reassigns the arrivals of transactions that seemed foreign and turned out to be ours: they brought no new money. */
export async function reassignArrivals(
  tx: Executor,
  chain: string,
  ours: readonly { readonly txid: string; readonly spendId: string }[],
  now: Instant,
): Promise<void> {
  await book(tx, chain, await adoptArrivals(tx, chain, ours), "out", now);
}

const isNewMoney = ({ spendId }: Arrival): boolean => spendId === null;

async function book(
  tx: Executor,
  chain: string,
  arrivals: readonly Arrival[],
  direction: "in" | "out",
  now: Instant,
): Promise<void> {
  if (arrivals.length === 0) return;
  const entries = arrivals.map((arrival): Entry => {
    const positions = positionsOf(arrival);
    return {
      accountId: operatorAccountId,
      cause: `arrival:${chain}:${arrival.txid}:${arrival.index}`,
      postings:
        direction === "in" ? postingsBetween([], positions) : postingsBetween(positions, []),
    };
  });
  await post(tx, entries, now);
}

function positionsOf({ currency, units }: Arrival): readonly Position[] {
  return [
    { account: systemAccount("chain", currency), currency, units },
    { account: systemAccount("equity", currency), currency, units: -units },
  ];
}
