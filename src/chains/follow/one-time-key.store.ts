import { type Executor, statement } from "../../platform/db/database.ts";

/** An output and its one-time key. */
export type KeyedOutput = { readonly key: string; readonly txid: string; readonly index: number };

type OwnerColumns = { readonly key: string; readonly txid: string; readonly index: string };

const claimStatement = statement<never>(
  "one-time-key.claim",
  `insert into one_time_key (chain, key, txid, output_index, block_height)
   select $1::text, found.key, found.txid, found.output_index, $2::bigint
   from unnest($3::text[], $4::text[], $5::bigint[]) with ordinality as found (key, txid, output_index, place)
   order by found.place
   on conflict (chain, key) do nothing`,
);

/** Gives each free key to the first of these outputs, all in the block at that height and in its order. Idempotent. */
export async function claimKeys(
  tx: Executor,
  chain: string,
  height: number,
  outputs: readonly KeyedOutput[],
): Promise<void> {
  await tx.query(claimStatement, [
    chain,
    height,
    outputs.map(({ key }) => key),
    outputs.map(({ txid }) => txid),
    outputs.map(({ index }) => index),
  ]);
}

const ownersStatement = statement<OwnerColumns>(
  "one-time-key.owners",
  `select key, txid, output_index as index from one_time_key where chain = $1 and key = any($2::text[])`,
);

/** The outputs that have these keys, by key. */
export async function ownersOfKeys(
  db: Executor,
  chain: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KeyedOutput>> {
  const rows = await db.query(ownersStatement, [chain, keys]);
  return new Map(rows.map((row) => [row.key, { ...row, index: Number(row.index) }]));
}

const releaseStatement = statement<never>(
  "one-time-key.release",
  `delete from one_time_key where chain = $1 and block_height = $2`,
);

/** Frees the keys of outputs in the block at that height, which left the best chain. */
export async function releaseKeys(tx: Executor, chain: string, height: number): Promise<void> {
  await tx.query(releaseStatement, [chain, height]);
}
