import type { BlockRef } from "../../chains/port.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/** A transfer to one of our own addresses. */
export type Arrival = {
  readonly txid: string;
  readonly index: number;
  readonly watchKey: string;
  readonly currency: CurrencyId;
  readonly units: bigint;
  /** The spend of ours that brought it; null for new money. */
  readonly spendId: string | null;
};

type ArrivalColumns = Omit<Arrival, "index" | "currency"> & {
  readonly index: string;
  readonly currency: string;
};

const columns = `txid, output_index as index, watch_key as "watchKey", currency, units, spend_id as "spendId"`;

const includeStatement = statement<ArrivalColumns>(
  "treasury-arrival.include",
  `insert into treasury_arrival as known
     (chain, txid, output_index, watch_key, currency, units, spend_id, block_height, block_hash, created_at)
   select $1::text, found.*, $2::bigint, $3::text, $4::timestamptz
   from unnest($5::text[], $6::bigint[], $7::text[], $8::text[], $9::numeric[], $10::bigint[]) as found
   on conflict (chain, txid, output_index) do update
     set block_height = excluded.block_height, block_hash = excluded.block_hash, watch_key = excluded.watch_key,
       currency = excluded.currency, units = excluded.units, spend_id = excluded.spend_id
     where known.block_height is null
   returning ${columns}`,
);

/** Stores the arrivals of a block; returns those that were in no block before. */
export async function includeArrivals(
  tx: Executor,
  chain: string,
  block: BlockRef,
  arrivals: readonly Arrival[],
  now: Instant,
): Promise<readonly Arrival[]> {
  if (arrivals.length === 0) return [];
  const rows = await tx.query(includeStatement, [
    ...[chain, block.height, block.hash, formatTimestamp(now)],
    arrivals.map(({ txid }) => txid),
    arrivals.map(({ index }) => index),
    arrivals.map(({ watchKey }) => watchKey),
    arrivals.map(({ currency }) => currency),
    arrivals.map(({ units }) => units),
    arrivals.map(({ spendId }) => spendId),
  ]);
  return rows.map(arrivalFromRow);
}

const orphanStatement = statement<ArrivalColumns>(
  "treasury-arrival.orphan",
  `update treasury_arrival set block_height = null, block_hash = null
   where chain = $1 and block_height = $2
   returning ${columns}`,
);

/** Removes the block at this height from its arrivals; returns these. */
export async function orphanArrivals(
  tx: Executor,
  chain: string,
  height: number,
): Promise<readonly Arrival[]> {
  return (await tx.query(orphanStatement, [chain, height])).map(arrivalFromRow);
}

const adoptStatement = statement<ArrivalColumns & { isInBlock: boolean }>(
  "treasury-arrival.adopt",
  `update treasury_arrival set spend_id = ours.spend_id
   from unnest($2::text[], $3::bigint[]) as ours (txid, spend_id)
   where treasury_arrival.chain = $1 and treasury_arrival.txid = ours.txid and treasury_arrival.spend_id is null
   returning treasury_arrival.txid, output_index as index, watch_key as "watchKey", currency, units,
     treasury_arrival.spend_id as "spendId", block_height is not null as "isInBlock"`,
);

/** Assigns arrivals to the spends that made them; returns those that are in a block. */
export async function adoptArrivals(
  tx: Executor,
  chain: string,
  ours: readonly { readonly txid: string; readonly spendId: string }[],
): Promise<readonly Arrival[]> {
  if (ours.length === 0) return [];
  const rows = await tx.query(adoptStatement, [
    chain,
    ours.map(({ txid }) => txid),
    ours.map(({ spendId }) => spendId),
  ]);
  return rows.filter(({ isInBlock }) => isInBlock).map(arrivalFromRow);
}

function arrivalFromRow(row: ArrivalColumns): Arrival {
  const { txid, watchKey, units, spendId } = row;
  return {
    txid,
    watchKey,
    units,
    spendId,
    index: Number(row.index),
    currency: row.currency as CurrencyId,
  };
}
