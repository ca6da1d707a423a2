import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/*
 * The table is named for the chains that had such addresses first: those that delegate to our contract (EIP-7702). Elsewhere they
 * use lent resources.
 */

/** A deposit address that was prepared for sweeps and not released since. */
export type PreparedAddress = { readonly watchKey: string; readonly keyIndex: number };

const keep = statement<never>(
  "delegation.keep",
  `insert into delegation as known (chain, watch_key, key_index, used_at)
   select $1::text, fresh.watch_key, fresh.key_index, $2::timestamptz
   from unnest($3::text[], $4::bigint[]) as fresh (watch_key, key_index)
   on conflict (chain, watch_key) do update set used_at = excluded.used_at, ending_spend_id = null`,
);

/** Marks addresses as prepared, used now and not being released. */
export async function upsertPrepared(
  tx: Executor,
  chain: string,
  addresses: readonly PreparedAddress[],
  now: Instant,
): Promise<void> {
  if (addresses.length === 0) return;
  await tx.query(keep, [
    chain,
    formatTimestamp(now),
    addresses.map(({ watchKey }) => watchKey),
    addresses.map(({ keyIndex }) => keyIndex),
  ]);
}

type Row = { readonly watchKey: string; readonly keyIndex: string };

const findIdle = statement<Row>(
  "delegation.find-idle",
  `select d.watch_key as "watchKey", d.key_index as "keyIndex" from delegation d
   where d.chain = $1 and d.ending_spend_id is null and d.used_at <= $2
     and not exists (
       select from sweep_source s where s.chain = d.chain and s.watch_key = d.watch_key and s.settled_at is null)
   order by d.used_at, d.watch_key limit $3`,
);

/** Prepared addresses that have moved nothing since then and are moving nothing, the longest idle first. */
export async function readIdlePrepared(
  db: Executor,
  chain: string,
  usedUntil: Instant,
  limit: number,
): Promise<readonly PreparedAddress[]> {
  return (await db.query(findIdle, [chain, formatTimestamp(usedUntil), limit])).map(fromRow);
}

const beginEnding = statement<never>(
  "delegation.begin-ending",
  "update delegation set ending_spend_id = $3 where chain = $1 and watch_key = any($2::text[])",
);

/** Records the spend that releases these addresses. */
export async function setReleasingSpend(
  tx: Executor,
  chain: string,
  watchKeys: readonly string[],
  spendId: string,
): Promise<void> {
  await tx.query(beginEnding, [chain, watchKeys, spendId]);
}

const findEnded = statement<Row>(
  "delegation.find-ended",
  `select d.watch_key as "watchKey", d.key_index as "keyIndex"
   from delegation d join spend on spend.id = d.ending_spend_id
   where d.chain = $1 and spend.state in ('confirmed', 'failed', 'dead', 'dropped')
   order by d.watch_key limit $2`,
);

/** Prepared addresses whose releasing spend is finished, successfully or not. */
export async function readReleased(
  db: Executor,
  chain: string,
  limit: number,
): Promise<readonly PreparedAddress[]> {
  return (await db.query(findEnded, [chain, limit])).map(fromRow);
}

const remove = statement<never>(
  "delegation.remove",
  "delete from delegation where chain = $1 and watch_key = any($2::text[])",
  { mayWait: true },
);

/** Forgets addresses that are prepared no more. */
export async function removePrepared(
  tx: Executor,
  chain: string,
  watchKeys: readonly string[],
): Promise<void> {
  if (watchKeys.length > 0) await tx.query(remove, [chain, watchKeys]);
}

function fromRow({ watchKey, keyIndex }: Row): PreparedAddress {
  return { watchKey, keyIndex: Number(keyIndex) };
}
