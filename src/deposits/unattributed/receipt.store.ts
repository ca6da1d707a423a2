import {
  assignments,
  columnDefinitions,
  columnList,
  id,
  type Row,
  writeRecord,
} from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import {
  type NewReceipt,
  newReceiptFields,
  type Receipt,
  receiptColumns,
  receiptFromRow,
  receiptProgress,
} from "./receipt.ts";

type Output = { readonly txid: string; readonly index: number };

const lockOutputs = statement<Row>(
  "unattributed.lock-outputs",
  `select ${receiptColumns} from unattributed u
   where u.chain = $1 and (u.txid, u.output_index) in (select * from unnest($2::text[], $3::bigint[]))
   order by u.id for update`,
);

/** Locks the receipts of these outputs. */
export async function lockReceiptsOfOutputs(
  tx: Executor,
  chain: string,
  outputs: readonly Output[],
): Promise<readonly Receipt[]> {
  if (outputs.length === 0) return [];
  const values = [outputs.map(({ txid }) => txid), outputs.map(({ index }) => index)];
  return (await tx.query(lockOutputs, [chain, ...values])).map(receiptFromRow);
}

const lockOne = statement<Row>(
  "unattributed.lock",
  `select ${receiptColumns} from unattributed u where u.id = $1 for update`,
);

/** Locks a receipt; null without one. */
export async function lockReceipt(tx: Executor, id: string): Promise<Receipt | null> {
  const [row] = await tx.query(lockOne, [id]);
  return row === undefined ? null : receiptFromRow(row);
}

const lockPayouts = statement<Row>(
  "unattributed.lock-payouts",
  `select ${receiptColumns} from unattributed u where u.payout_id = any($1::bigint[]) order by u.id for update`,
);

/** Locks the receipts whose newest return is one of these payouts. */
export async function lockReceiptsOfPayouts(
  tx: Executor,
  payoutIds: readonly string[],
): Promise<readonly Receipt[]> {
  return (await tx.query(lockPayouts, [payoutIds])).map(receiptFromRow);
}

const findWallet = statement<{ readonly id: string }>(
  "unattributed.find-wallet",
  "select id from wallet where account_id = $1 and currency = $2 and type = 2 and status = 3 order by id limit 1",
);

/** The account's oldest active Enterprise wallet in the currency; null without one. */
export async function findReturnWallet(
  db: Executor,
  accountId: string,
  currency: string,
): Promise<string | null> {
  return (await db.query(findWallet, [accountId, currency]))[0]?.id ?? null;
}

/** A waiting receipt that no other node has confirmed in its block, and the node that reported the block. */
export type UnvouchedReceipt = {
  readonly receipt: Receipt & { readonly block: NonNullable<Receipt["block"]> };
  readonly readFrom: string | null;
};

const unvouched = statement<Row & { readonly read_from: string | null }>(
  "unattributed.unvouched",
  `select ${receiptColumns}, b.read_from from unattributed u
   left join chain_block b on b.chain = u.chain and b.hash = u.block_hash
   where u.chain = $1 and u.state = 'waiting' and u.block_height is not null and u.vouched_hash is distinct from u.block_hash
     and u.id > $2
   order by u.id limit $3`,
);

/** The oldest of them on a chain, after the given id. */
export async function readUnvouched(
  db: Executor,
  chain: string,
  afterId: string,
  limit: number,
): Promise<readonly UnvouchedReceipt[]> {
  const rows = await db.query(unvouched, [chain, afterId, limit]);
  return rows.flatMap((row) => {
    const receipt = receiptFromRow(row);
    const { block } = receipt;
    return block === null ? [] : [{ receipt: { ...receipt, block }, readFrom: row.read_from }];
  });
}

const lockBlock = statement<Row>(
  "unattributed.lock-block",
  `select ${receiptColumns} from unattributed u where u.chain = $1 and u.block_height = $2 order by u.id for update`,
);

/** Locks the receipts that a block contains. */
export async function lockReceiptsInBlock(
  tx: Executor,
  chain: string,
  height: number,
): Promise<readonly Receipt[]> {
  return (await tx.query(lockBlock, [chain, height])).map(receiptFromRow);
}

const insert = statement<Row>(
  "unattributed.insert",
  `insert into unattributed as u (${columnList(newReceiptFields)})
   select ${columnList(newReceiptFields, "i")} from json_to_recordset($1::json) as i (${columnDefinitions(newReceiptFields)})
   returning ${receiptColumns}`,
);

/** Stores new receipts; returns them with their ids. */
export async function insertReceipts(
  tx: Executor,
  receipts: readonly NewReceipt[],
): Promise<readonly Receipt[]> {
  if (receipts.length === 0) return [];
  const rows = receipts.map((receipt) => writeRecord(newReceiptFields, receipt));
  return (await tx.query(insert, [JSON.stringify(rows)])).map(receiptFromRow);
}

const changed = { id: id("id"), ...receiptProgress };

const save = statement<never>(
  "unattributed.save",
  `update unattributed set ${assignments(receiptProgress, "i")}
   from json_to_recordset($1::json) as i (${columnDefinitions(changed)}) where unattributed.id = i.id`,
);

/** Updates receipts that the caller has locked. */
export async function saveReceipts(tx: Executor, receipts: readonly Receipt[]): Promise<void> {
  if (receipts.length === 0) return;
  const rows = receipts.map((receipt) => writeRecord(changed, receipt));
  await tx.query(save, [JSON.stringify(rows)]);
}
