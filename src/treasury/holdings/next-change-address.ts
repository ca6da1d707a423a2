import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { highestWatched, type IssuedChange, issueChange } from "./address.store.ts";
import { type TreasuryChain, watchAhead } from "./ensure-treasury.ts";

/**
 * Issues an unused change address for a draft, in the caller's transaction. It is watched since before, so no block can bring
 * money there unnoticed. UTXO chains only.
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

/** For when all watched change addresses are issued or being issued by others. */
async function issueBeyond(
  tx: Executor,
  chain: TreasuryChain,
  now: Instant,
): Promise<IssuedChange> {
  await watchAhead(tx, chain, (await highestWatched(tx, chain.keyspace)) ?? 0, now);
  return present(await issueChange(tx, chain.keyspace, now), "a watched change address");
}
