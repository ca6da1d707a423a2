import type { BlockSink, OwnActivity, PendingTransfer } from "../../src/chains/block-sink.ts";
import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import { depositOf } from "../../src/chains/conformance/conformance-check.ts";
import type { BlockRef, Destination } from "../../src/chains/port.ts";
import type { Executor, SqlValue } from "../../src/platform/db/database.ts";
import { assembledStatement } from "../../src/platform/db/list-query.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import type { TestDatabase } from "./database.ts";

/*
 * A sink that records what the follower reports, in the follower's own transactions, and refuses what a follower must never
 * report: a block that does not extend the last one, a repeated delivery, an orphan that is not the newest block.
 */

export type SeenTransfer = {
  readonly txid: string;
  readonly index: string;
  readonly depositId: string;
  readonly state: "pending" | "included" | "cancelled";
  readonly height: string | null;
  readonly hash: string | null;
};

export async function createRecordingTables({ sql }: TestDatabase): Promise<void> {
  await sql(`create table seen_block (
    chain text, height bigint, hash text, parent_hash text, primary key (chain, height), unique (chain, hash))`);
  await sql(`create table seen_transfer (
    chain text, txid text, output_index bigint, deposit_id bigint, spends text[], state text, height bigint, hash text,
    first_seen_at timestamptz, primary key (chain, txid, output_index))`);
  await sql(`create table own_transaction (chain text, txid text, primary key (chain, txid))`);
  await sql(`create table seen_mined (
    chain text, txid text, has_succeeded boolean, height bigint, hash text, primary key (chain, txid))`);
  await sql(`create table seen_arrival (
    chain text, txid text, output_index bigint, purpose text, key_index bigint, height bigint, hash text,
    primary key (chain, txid, output_index))`);
}

/** Stores a transaction of our own, as happens before it is broadcast. */
export async function storeOwn(db: Executor, chain: string, txid: string): Promise<void> {
  await run(db, "insert into own_transaction values ($1, $2)", [chain, txid]);
}

/** Our transactions that are in no known block. */
export async function openOwnTxids(db: Executor, chain: string): Promise<readonly string[]> {
  const rows = await run<{ txid: string }>(
    db,
    `select txid from own_transaction own
     where chain = $1 and not exists (select from seen_mined m where m.chain = own.chain and m.txid = own.txid)`,
    [chain],
  );
  return rows.map(({ txid }) => txid);
}

/** Assigns change address `index`. */
export async function issueChange(
  db: Executor,
  { keyspace, addressing }: ChainAdapter,
  index: number,
  issuedAt: string,
): Promise<Destination> {
  const destination = present(addressing.changeAt, "a chain of coins")(index);
  await run(
    db,
    `insert into treasury_address (keyspace, watch_key, address, address_type, purpose, key_index, created_at)
     values ($1, $2, $3, '', 'change', $4, $5)`,
    [keyspace, addressing.watchKey(destination), destination.address, index, issuedAt],
  );
  return destination;
}

/** Assigns deposit address `index` to the deposit of the same number. */
export async function issueAddress(
  db: Executor,
  { keyspace, addressing }: ChainAdapter,
  index: number,
  issuedAt: string,
): Promise<void> {
  const destination = depositOf(addressing, index, null);
  await run(
    db,
    `insert into address (keyspace, watch_key, address, address_type, key_index, derived_at, account_id, wallet_id,
       deposit_id, issued_at)
     values ($1, $2, $3, '', $4, $5, 1, 1, $4, $5)`,
    [keyspace, addressing.watchKey(destination), destination.address, index, issuedAt],
  );
}

export async function seenTransfers(
  { sql }: TestDatabase,
  chain: string,
): Promise<readonly SeenTransfer[]> {
  return sql(
    `select txid, output_index as index, deposit_id as "depositId", state, height, hash from seen_transfer
     where chain = $1 order by height nulls last, txid, output_index`,
    [chain],
  );
}

export async function seenBlocks(
  { sql }: TestDatabase,
  chain: string,
): Promise<readonly { readonly height: string; readonly hash: string }[]> {
  return sql(`select height, hash from seen_block where chain = $1 order by height`, [chain]);
}

export const recordingSink: BlockSink = {
  appended: async (tx, chain, block, hits, now, own) => {
    const [last] = await run<{ height: string; hash: string }>(
      tx,
      "select height, hash from seen_block where chain = $1 order by height desc limit 1",
      [chain],
    );
    const follows =
      last === undefined ||
      (Number(last.height) === block.height - 1 && last.hash === block.parentHash);
    if (!follows) throw new Error(`block ${block.height} does not follow ${last.height}`);
    await run(tx, "insert into seen_block values ($1, $2, $3, $4)", [
      chain,
      block.height,
      block.hash,
      block.parentHash,
    ]);
    for (const { transfer, senders, depositId } of hits) {
      const { txid, index } = transfer.key;
      const rows = await run(
        tx,
        `insert into seen_transfer values ($1, $2, $3, $4, $5, 'included', $6, $7, $8)
         on conflict (chain, txid, output_index) do update
           set state = 'included', height = excluded.height, hash = excluded.hash
           where seen_transfer.state <> 'included'
         returning txid`,
        [
          ...[chain, txid, index, depositId, senders.claims, block.height, block.hash],
          formatTimestamp(now),
        ],
      );
      if (rows.length !== 1) throw new Error(`${txid}:${index} was delivered twice`);
    }
    await recordOwn(tx, chain, block, own);
  },
  orphaned: async (tx, chain, block) => {
    const rows = await run(
      tx,
      `delete from seen_block where chain = $1 and hash = $2
         and height = (select max(height) from seen_block where chain = $1) returning height`,
      [chain, block.hash],
    );
    if (rows.length !== 1) throw new Error(`block ${block.height} is not the newest`);
    await run(
      tx,
      `update seen_transfer set state = 'pending', height = null, hash = null
       where chain = $1 and hash = $2`,
      [chain, block.hash],
    );
    for (const table of ["seen_mined", "seen_arrival"])
      await run(tx, `delete from ${table} where chain = $1 and hash = $2`, [chain, block.hash]);
  },
  pendingSeen: async (tx, chain, hits, now) => {
    for (const { transfer, senders, depositId } of hits) {
      await run(
        tx,
        `insert into seen_transfer values ($1, $2, $3, $4, $5, 'pending', null, null, $6)
         on conflict (chain, txid, output_index) do update set state = 'pending'
           where seen_transfer.state <> 'included'`,
        [
          ...[chain, transfer.key.txid, transfer.key.index, depositId, senders.claims],
          formatTimestamp(now),
        ],
      );
    }
  },
  pendingTransfers: async (tx, chain) => {
    const transfers = await run<PendingTransfer>(
      tx,
      `select '1' as "accountId", txid || ':' || output_index as "transferId", txid, spends as claims,
         first_seen_at as "firstSeenAt"
       from seen_transfer
       where chain = $1 and state = 'pending' order by txid, output_index`,
      [chain],
    );
    return { transfers, isComplete: true };
  },
  transfersDropped: async (tx, chain, dropped) => {
    await run(
      tx,
      `update seen_transfer set state = 'cancelled'
       where chain = $1 and txid || ':' || output_index = any($2) and state = 'pending'`,
      [chain, dropped.map(({ transfer }) => transfer.transferId)],
    );
  },
};

/** Each fact appears once; a repeated key fails the follower's transaction. */
async function recordOwn(
  tx: Executor,
  chain: string,
  { height, hash }: BlockRef,
  { arrivals, receipts: mined }: OwnActivity,
): Promise<void> {
  for (const { txid, hasSucceeded } of mined)
    await run(tx, "insert into seen_mined values ($1, $2, $3, $4, $5)", [
      ...[chain, txid, hasSucceeded, height, hash],
    ]);
  for (const { transfer, purpose, keyIndex } of arrivals)
    await run(tx, "insert into seen_arrival values ($1, $2, $3, $4, $5, $6, $7)", [
      ...[chain, transfer.key.txid, transfer.key.index, purpose, keyIndex, height, hash],
    ]);
}

function run<Row>(
  db: Executor,
  text: string,
  values: readonly SqlValue[],
): Promise<readonly Row[]> {
  return db.query(assembledStatement<Row>("recording", text), values);
}
