import { type Executor, statement } from "../../platform/db/database.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Spend } from "./spend.ts";
import {
  type AttemptRow,
  attemptToRow,
  type SpendRow,
  spendFromRows,
  spendToRow,
} from "./spend-row.ts";

const lock = statement<SpendRow>(
  "spend.lock",
  "select * from spend where id = any($1::bigint[]) order by id for update",
);

const read = statement<SpendRow>(
  "spend.read",
  "select * from spend where id = any($1::bigint[]) order by id",
);

const readAttempts = statement<AttemptRow>(
  "spend.read-attempts",
  "select * from spend_attempt where spend_id = any($1::bigint[]) order by spend_id, number",
);

/** Locks spends in id order; every change of a spend or its attempts holds this lock. */
export async function lockSpends(tx: Executor, ids: readonly string[]): Promise<readonly Spend[]> {
  return withAttempts(tx, await tx.query(lock, [ids]));
}

/** The spends with these ids and their attempts, in id order. */
export async function readSpends(db: Executor, ids: readonly string[]): Promise<readonly Spend[]> {
  return withAttempts(db, await db.query(read, [ids]));
}

const readOpen = statement<SpendRow>(
  "spend.read-open",
  "select * from spend where chain = $1 and state = 'open' order by id",
);

/** The chain's spends that are in no block, oldest first. */
export async function readOpenSpends(db: Executor, chain: string): Promise<readonly Spend[]> {
  return withAttempts(db, await db.query(readOpen, [chain]));
}

const readInFlight = statement<SpendRow>(
  "spend.read-in-flight",
  `select * from spend where chain = $1 and sender = $2 and state in ('open', 'included') order by id`,
);

/** An account's spends that are not at their currency's confirmation count yet, oldest first. */
export async function readSpendsInFlight(
  db: Executor,
  chain: string,
  sender: string,
): Promise<readonly Spend[]> {
  return withAttempts(db, await db.query(readInFlight, [chain, sender]));
}

const lastInclusion = statement<{ readonly at: Instant | null }>(
  "spend.last-inclusion",
  `select max(updated_at) as at from spend
   where chain = $1 and sender = $2 and state in ('included', 'confirmed', 'failed') and id > (
     select coalesce(max(id), 0) - 1000 from spend where chain = $1)`,
);

/** When a spend of the account last got into a block or beyond; null if no recent one did. */
export async function readLastInclusion(
  db: Executor,
  chain: string,
  sender: string,
): Promise<Instant | null> {
  const [row] = await db.query(lastInclusion, [chain, sender]);
  return row?.at ?? null;
}

async function withAttempts(db: Executor, rows: readonly SpendRow[]): Promise<readonly Spend[]> {
  if (rows.length === 0) return [];
  const attempts = await db.query(readAttempts, [rows.map(({ id }) => id)]);
  const bySpend = Map.groupBy(attempts, ({ spend_id }) => spend_id);
  return rows.map((row) => spendFromRows(row, bySpend.get(row.id) ?? []));
}

const reserve = statement<{ readonly id: string }>(
  "spend.reserve-ids",
  "select nextval(pg_get_serial_sequence('spend', 'id')) as id from generate_series(1, $1::integer)",
);

/** Reserves ids, in rising order. */
export async function reserveSpendIds(db: Executor, count: number): Promise<readonly string[]> {
  const rows = await db.query(reserve, [count]);
  assert(rows.length === count, "the sequence returned no number");
  return rows.map(({ id }) => id);
}

/** Reserves the id of a spend before its insert, since drafts and intents contain it. */
export async function reserveSpendId(db: Executor): Promise<string> {
  const [id] = await reserveSpendIds(db, 1);
  assert(id !== undefined, "the sequence returned no number");
  return id;
}

const reserveUpTo = statement<never>(
  "spend.reserve-up-to",
  `select setval(sequence, greatest($1::bigint, nextval(sequence)))
   from (select pg_get_serial_sequence('spend', 'id')::regclass as sequence) as named`,
);

/** Prevents ids up to this one from being issued (again): a restored database has forgotten what it issued. */
export async function reserveSpendIdsUpTo(db: Executor, id: string): Promise<void> {
  await db.query(reserveUpTo, [id]);
}

const insert = statement<never>(
  "spend.insert",
  "insert into spend select * from jsonb_populate_recordset(null::spend, $1::jsonb)",
);

const insertAttempts = statement<never>(
  "spend.insert-attempts",
  "insert into spend_attempt select * from jsonb_populate_recordset(null::spend_attempt, $1::jsonb)",
);

/** `insertSpends` for one spend. */
export function insertSpend(tx: Executor, spend: Spend): Promise<void> {
  return insertSpends(tx, [spend]);
}

/** Stores new spends with their attempts. Their claims are taken separately (`claim.store.ts`). */
export async function insertSpends(tx: Executor, spends: readonly Spend[]): Promise<void> {
  if (spends.length === 0) return;
  await tx.query(insert, [JSON.stringify(spends.map(spendToRow))]);
  const rows = spends.flatMap((spend) =>
    spend.attempts.map((attempt) => attemptToRow(spend, attempt)),
  );
  await tx.query(insertAttempts, [JSON.stringify(rows)]);
}

const remove = statement<never>("spend.remove", "delete from spend where id = $1");

const removeAttempts = statement<never>(
  "spend.remove-attempts",
  "delete from spend_attempt where spend_id = $1",
);

/** Reverts an insert of the same transaction. */
export async function removeSpend(tx: Executor, id: string): Promise<void> {
  await tx.query(removeAttempts, [id]);
  await tx.query(remove, [id]);
}

const save = statement<{ readonly id: string }>(
  "spend.save",
  `update spend s set
     state = o.state, request = o.request, burnt_units = o.burnt_units, has_succeeded = o.has_succeeded,
     delivery = o.delivery, payment_outcomes = o.payment_outcomes,
     payment_deliveries = o.payment_deliveries, lost = o.lost,
     mined_attempt = o.mined_attempt, block_height = o.block_height, block_hash = o.block_hash,
     due_height = o.due_height, updated_at = o.updated_at
   from jsonb_populate_recordset(null::spend, $1::jsonb) as o,
     unnest($2::bigint[], $3::text[]) as was (id, state)
   where s.id = o.id and was.id = o.id and s.state = was.state
   returning s.id`,
);

const saveAttempts = statement<{ readonly spend_id: string }>(
  "spend.save-attempts",
  `update spend_attempt a set
     state = o.state, txid = o.txid, raw = o.raw, broadcasts = o.broadcasts, refusal = o.refusal,
     first_broadcast_at = o.first_broadcast_at, last_broadcast_at = o.last_broadcast_at,
     checked_at = o.checked_at, updated_at = o.updated_at
   from jsonb_populate_recordset(null::spend_attempt, $1::jsonb) as o,
     unnest($2::bigint[], $3::smallint[], $4::text[]) as was (spend_id, number, state)
   where a.spend_id = o.spend_id and a.number = o.number and was.spend_id = o.spend_id and was.number = o.number
     and a.state = was.state
   returning a.spend_id`,
);

/** A spend as read under its lock, and its new state. */
export type SpendChange = { readonly before: Spend; readonly after: Spend };

/** Stores changed spends, provided that they did not change since they were read. */
export async function saveSpends(tx: Executor, changes: readonly SpendChange[]): Promise<void> {
  if (changes.length === 0) return;
  const saved = await tx.query(save, [
    JSON.stringify(changes.map(({ after }) => spendToRow(after))),
    changes.map(({ before }) => before.id),
    changes.map(({ before }) => before.state),
  ]);
  assert(saved.length === changes.length, "a locked spend was changed");
  await saveChangedAttempts(tx, changes);
  const added = changes.flatMap(({ before, after }) =>
    after.attempts
      .filter(({ number }) => before.attempts.every((known) => known.number !== number))
      .map((attempt) => attemptToRow(after, attempt)),
  );
  if (added.length > 0) await tx.query(insertAttempts, [JSON.stringify(added)]);
}

async function saveChangedAttempts(tx: Executor, changes: readonly SpendChange[]): Promise<void> {
  const changed = changes.flatMap(({ before, after }) =>
    before.attempts.flatMap((was) => {
      const is = after.attempts.find(({ number }) => number === was.number);
      return is === undefined || is === was ? [] : [{ spend: after, was, is }];
    }),
  );
  if (changed.length === 0) return;
  const saved = await tx.query(saveAttempts, [
    JSON.stringify(changed.map(({ spend, is }) => attemptToRow(spend, is))),
    changed.map(({ spend }) => spend.id),
    changed.map(({ was }) => was.number),
    changed.map(({ was }) => was.state),
  ]);
  assert(saved.length === changed.length, "an attempt of a locked spend was changed");
}

const findByTxids = statement<{ readonly spend_id: string; readonly txid: string }>(
  "spend.find-by-txids",
  "select spend_id, txid from spend_attempt where chain = $1 and txid = any($2::text[])",
);

/** The spend of each transaction, by transaction id. */
export async function findSpendsOf(
  db: Executor,
  chain: string,
  txids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (txids.length === 0) return new Map();
  const rows = await db.query(findByTxids, [chain, txids]);
  return new Map(rows.map((row) => [row.txid, row.spend_id]));
}

const findAtLarge = statement<{ readonly txid: string }>(
  "spend.find-at-large",
  "select txid from spend_attempt where chain = $1 and state in ('signed', 'broadcast')",
);

/** Ids of transactions that a block may contain at any time. */
export async function readMinableTxids(db: Executor, chain: string): Promise<readonly string[]> {
  return (await db.query(findAtLarge, [chain])).map((row) => row.txid);
}

const readDue = statement<SpendRow>(
  "spend.read-due",
  `select s.* from spend s join chain_cursor c on c.chain = s.chain
   where s.chain = $1 and s.id > $2::bigint
     and (s.due_height <= c.height or (s.due_height > c.height and s.block_height <= c.locked_height))
   order by s.id limit $3::integer`,
);

/** Spends above an id that are at their currency's confirmation count and whose outcome is to be read again, oldest first. */
export async function readDueSpends(
  db: Executor,
  chain: string,
  aboveId: string,
  limit: number,
): Promise<readonly Spend[]> {
  return withAttempts(db, await db.query(readDue, [chain, aboveId, limit]));
}

const findInBlock = statement<{ readonly id: string }>(
  "spend.find-in-block",
  "select id from spend where chain = $1 and block_height = $2 and block_hash = $3 order by id",
);

/** Spends whose transaction is in this block. */
export async function findSpendsInBlock(
  tx: Executor,
  chain: string,
  block: { readonly height: number; readonly hash: string },
): Promise<readonly string[]> {
  return (await tx.query(findInBlock, [chain, block.height, block.hash])).map((row) => row.id);
}
