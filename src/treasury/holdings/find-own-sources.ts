import type { Executor } from "../../platform/db/database.ts";
import { type FollowedTreasury, holdsCoins } from "./block-facts.ts";
import { listUnspentOutpoints, readCoinValues, spendCoins } from "./coin.store.ts";

/** Those of the sources (`BlockSpends`) that only our keys can use, with the units of coins; null for an account. */
export async function findOwnSources(
  db: Executor,
  chain: FollowedTreasury,
  sources: readonly string[],
): Promise<ReadonlyMap<string, bigint | null>> {
  if (holdsCoins(chain)) return readCoinValues(db, chain.chain, sources);
  return new Map(sources.filter(isOwnAccount(chain)).map((account) => [account, null]));
}

/** Returns a predicate for sources that only our keys can use, as of now. */
export async function loadOwnSources(
  db: Executor,
  chain: FollowedTreasury,
): Promise<(source: string) => boolean> {
  if (!holdsCoins(chain)) return isOwnAccount(chain);
  const coins = await listUnspentOutpoints(db, chain.chain);
  return (source) => coins.has(source);
}

/** The hot and gas accounts. Deposit addresses only send sweeps, which pay nobody. */
function isOwnAccount({ addressing }: FollowedTreasury): (source: string) => boolean {
  const { treasury } = addressing;
  const accounts = treasury === null ? [] : [treasury.hot, treasury.gas];
  const own = new Set(
    accounts.flatMap((account) => (account === null ? [] : [addressing.watchKey(account)])),
  );
  return (source) => own.has(source);
}

/** Marks coins as spent by a transaction that belongs to no known spend. Does nothing on account chains. */
export async function markCoinsSpent(
  tx: Executor,
  chain: FollowedTreasury,
  outpoints: readonly string[],
  height: number,
): Promise<void> {
  if (!holdsCoins(chain)) return;
  await spendCoins(
    tx,
    chain.chain,
    outpoints.map((outpoint) => ({ outpoint, height })),
  );
}
