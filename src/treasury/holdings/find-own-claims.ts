import type { Executor } from "../../platform/db/database.ts";
import { type FollowedTreasury, holdsCoins } from "./block-facts.ts";
import { listUnspentOutpoints, readCoinValues, spendCoins } from "./coin.store.ts";

/** Those of the claims that only our keys can use, with the units of coins; null for a nonce. */
export async function findOwnClaims(
  db: Executor,
  chain: FollowedTreasury,
  claims: readonly string[],
): Promise<ReadonlyMap<string, bigint | null>> {
  if (holdsCoins(chain)) return readCoinValues(db, chain.chain, claims);
  const isOurs = isOwnNonce(chain);
  return new Map(claims.filter(isOurs).map((claim) => [claim, null]));
}

/** Returns a predicate for claims that only our keys can use, as of now. */
export async function loadOwnClaims(
  db: Executor,
  chain: FollowedTreasury,
): Promise<(claim: string) => boolean> {
  if (!holdsCoins(chain)) return isOwnNonce(chain);
  const coins = await listUnspentOutpoints(db, chain.chain);
  return (claim) => coins.has(claim);
}

/** Nonces of the hot and gas accounts. Deposit addresses only send sweeps, which pay nobody. */
function isOwnNonce({ addressing }: FollowedTreasury): (claim: string) => boolean {
  const { treasury } = addressing;
  const own = new Set(
    treasury === null ? [] : [treasury.hot, treasury.gas].map((one) => addressing.watchKey(one)),
  );
  return (claim) => own.has(claim.slice(0, claim.lastIndexOf("#")));
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
