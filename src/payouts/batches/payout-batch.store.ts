import { accountScope } from "../../platform/db/account-scope.ts";
import { columnList, type Row } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { fetchPage, type ListSql } from "../../platform/db/list-query.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type ListQuery, mapPage, type Page } from "../../platform/kernel/list-query.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { PayoutState } from "../payout-state.ts";
import { batchFields, batchFromRow, type PayoutBatch, type ShownBatchRow } from "./payout-batch.ts";
import { batchFilters, batchSort } from "./payout-batch-filters.ts";

/**
 * The payouts of a batch, found by its rows' idempotency keys: a payout and the use of its key are written together. A cancellation uses the
 * keys of the rows that have no payout.
 */
const usedRows = `payout_batch_row r
  join payout_key k on k.account_id = r.account_id and k.key = r.key
  left join payout p on p.account_id = k.account_id and p.id = k.payout_id`;

const columns = columnList(batchFields, "b", {
  digest: "encode(b.digest, 'hex')",
  counts: `select coalesce(jsonb_object_agg(state, rows), '{}') from (
      select coalesce(p.state, 'dropped') as state, count(*) as rows from ${usedRows}
      where r.account_id = b.account_id and r.batch_id = b.id group by p.state) as c`,
});

const list: ListSql = {
  name: "payout-batch.list",
  select: columns,
  from: "payout_batch b",
  filters: batchFilters,
  sort: batchSort,
};

/** A page of an account's batches; `wallets` limits it to these wallets, null means all. */
export async function listBatchRows(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
  query: ListQuery,
): Promise<Page<PayoutBatch>> {
  const owner = { account: "b.account_id", wallet: "b.wallet_id" };
  const scope = accountScope(owner, accountId, wallets);
  return mapPage(await fetchPage<Row>(db, list, scope, query), batchFromRow);
}

const readOne = statement<Row>(
  "payout-batch.read",
  `select ${columns} from payout_batch b where b.account_id = $1 and b.id = $2`,
);

/** The batch with this id; null when the account has none. */
export async function readBatchRow(
  db: Executor,
  accountId: string,
  id: string,
): Promise<PayoutBatch | null> {
  const [row] = await db.query(readOne, [accountId, id]);
  return row === undefined ? null : batchFromRow(row);
}

const readByReference = statement<Row>(
  "payout-batch.by-reference",
  `select ${columns} from payout_batch b where b.account_id = $1 and b.reference = $2`,
);

/** The batch with this reference; null when the account has none. */
export async function readBatchOf(
  db: Executor,
  accountId: string,
  reference: string,
): Promise<PayoutBatch | null> {
  const [row] = await db.query(readByReference, [accountId, reference]);
  return row === undefined ? null : batchFromRow(row);
}

/** A row of a batch's file, and its payout once it exists. */
type BatchPayout = {
  readonly number: number;
  readonly key: string;
  readonly payoutId: string | null;
  readonly state: PayoutState | null;
};

const readPayouts = statement<BatchPayout>(
  "payout-batch.payouts",
  `select r.number, r.key, p.id as "payoutId", p.state from payout_batch_row r
   left join payout_key k on k.account_id = r.account_id and k.key = r.key
   left join payout p on p.account_id = k.account_id and p.id = k.payout_id
   where r.account_id = $1 and r.batch_id = $2 order by r.number`,
);

/** The rows of a batch in the order of the file. */
export function readBatchPayouts(
  db: Executor,
  accountId: string,
  batchId: string,
): Promise<readonly BatchPayout[]> {
  return db.query(readPayouts, [accountId, batchId]);
}

type ShownPayout = NonNullable<ShownBatchRow["payout"]>;
type ShownRow = Omit<ShownPayout, "id"> & { readonly number: number; readonly id: string | null };

const readShown = statement<ShownRow>(
  "payout-batch.shown-rows",
  `select r.number, p.id, p.state, p.units, p.commission_units as "commissionUnits", p.fee_units as "feeUnits", p.address, p.tag, p.label,
     p.travel_rule_sealed as "travelRuleSealed"
   from payout_batch_row r
   left join payout_key k on k.account_id = r.account_id and k.key = r.key
   left join payout p on p.account_id = k.account_id and p.id = k.payout_id
   where r.account_id = $1 and r.batch_id = $2 order by r.number`,
);

/** The rows of a batch with what their payouts pay to whom, in the order of the file. */
export async function readShownRows(
  db: Executor,
  accountId: string,
  batchId: string,
): Promise<readonly ShownBatchRow[]> {
  const rows = await db.query(readShown, [accountId, batchId]);
  return rows.map(({ number, id, ...payout }) => ({
    number,
    payout: id === null ? null : { ...payout, id },
  }));
}

export type NewBatch = Omit<PayoutBatch, "id" | "counts" | "createdAt" | "digest"> & {
  readonly accountId: string;
  readonly digest: Uint8Array;
  readonly rows: readonly { readonly number: number; readonly key: string }[];
};

const insert = statement<{ id: string }>(
  "payout-batch.insert",
  `with batch as (
     insert into payout_batch (account_id, reference, wallet_id, currency, digest, row_count, total_units, needs_approval,
                               is_above_limit, created_by_member_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (account_id, reference) do nothing
     returning account_id, id
   ), added as (
     insert into payout_batch_row (account_id, batch_id, number, key)
     select account_id, id, number, key from batch cross join unnest($12::integer[], $13::uuid[]) as input (number, key)
   )
   select id from batch`,
);

/** Stores a batch with its rows; null when another one of the account has its reference. */
export async function insertBatch(
  tx: Executor,
  batch: NewBatch,
  now: Instant,
): Promise<string | null> {
  const [row] = await tx.query(insert, [
    ...[batch.accountId, batch.reference, batch.walletId, batch.currency, batch.digest],
    ...[batch.rowCount, batch.totalUnits.toString(), batch.needsApproval, batch.isAboveLimit],
    ...[batch.createdByMemberId, formatTimestamp(now)],
    batch.rows.map(({ number }) => number),
    batch.rows.map(({ key }) => key),
  ]);
  return row?.id ?? null;
}
