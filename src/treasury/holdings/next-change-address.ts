import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { highestWatched, type IssuedChange, issueChange } from "./address.store.ts";
import { type TreasuryChain, watchAhead } from "./ensure-treasury.ts";

/**
 * A change address that nothing was ever sent to, for a transaction that is being drafted; taken in the caller's
 * transaction, and watched since before that: no block can bring money there unseen. For chains of coins only.
 */
export async function nextChangeAddress(
  tx: Executor,
  chain: TreasuryChain,
  now: Instant,
): Promise<IssuedChange> {
  const taken = (await issueChange(tx, chain.keyspace, now)) ?? (await issueBeyond(tx, chain, now));
  await watchAhead(tx, chain, taken.keyIndex, now);
  return taken;
}

/** All that are watched ahead are in use, or being taken by others at this moment. */
async function issueBeyond(
  tx: Executor,
  chain: TreasuryChain,
  now: Instant,
): Promise<IssuedChange> {
  await watchAhead(tx, chain, (await highestWatched(tx, chain.keyspace)) ?? 0, now);
  return present(await issueChange(tx, chain.keyspace, now), "a change address watched ahead");
}
