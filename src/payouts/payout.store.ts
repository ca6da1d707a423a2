import type { PayoutTransfer } from "../deposits/transfers/transfer.ts";
import { type Executor, statement } from "../platform/db/database.ts";
import { assert } from "../platform/kernel/assert.ts";
import { formatTimestamp, formatTimestampOrNull } from "../platform/kernel/timestamp.ts";
import type { Payout } from "./payout.ts";
import {
  type PayoutRow,
  payoutColumns,
  payoutFromRow,
  payoutTables,
  payoutToRow,
} from "./payout-row.ts";
import { transferOfPayout } from "./payout-transfer.ts";

const lock = statement<PayoutRow>(
  "payout.lock",
  `select ${payoutColumns} from ${payoutTables} where p.id = any($1::bigint[]) order by p.id for update of p`,
);

/** Locks payouts in id order; every change of a payout holds this lock. */
export async function lockPayoutRows(
  tx: Executor,
  ids: readonly string[],
): Promise<readonly Payout[]> {
  const rows = await tx.query(lock, [ids]);
  return rows.map(payoutFromRow);
}

const insert = statement<never>(
  "payout.insert",
  "insert into payout select * from jsonb_populate_recordset(null::payout, $1::jsonb)",
);

/** Inserts new payouts with their transfers. */
export async function insertPayoutRows(tx: Executor, payouts: readonly Payout[]): Promise<void> {
  if (payouts.length === 0) return;
  await Promise.all([
    tx.query(insert, [JSON.stringify(payouts.map(payoutToRow))]),
    saveTransfersOfPayouts(
      tx,
      payouts.map((payout) => transferOfPayout(payout)),
    ),
  ]);
}

const save = statement<{ readonly id: string }>(
  "payout.save",
  `update payout p set
     status = o.status, stage = o.stage, rate = o.rate, rate_exp = o.rate_exp, charged_units = o.charged_units, label = o.label, tracking_id = o.tracking_id, revision = o.revision,
     risk = o.risk, risk_status = o.risk_status, released_at = o.released_at, message = o.message,
     user_message = o.user_message, approval = o.approval, approved_by_member_id = o.approved_by_member_id,
     approved_at = o.approved_at, spend_id = o.spend_id, txid = o.txid, block_height = o.block_height,
     block_hash = o.block_hash, due_height = o.due_height, is_confirmed = o.is_confirmed, updated_at = o.updated_at
   from jsonb_populate_recordset(null::payout, $1::jsonb) as o
   where p.account_id = o.account_id and p.id = o.id
   returning p.id`,
);

/** Stores the mutable columns of locked payouts, and their transfers. */
export async function savePayoutRows(
  tx: Executor,
  payouts: readonly Payout[],
  transfers: readonly PayoutTransfer[],
): Promise<void> {
  if (payouts.length === 0) return;
  const [saved] = await Promise.all([
    tx.query(save, [JSON.stringify(payouts.map(payoutToRow))]),
    saveTransfersOfPayouts(tx, transfers),
  ]);
  assert(saved.length === payouts.length, "a locked payout is gone");
}

const saveTransfers = statement<never>(
  "payout.save-transfers",
  `insert into transfer (
     account_id, id, op_type, status, wallet_id, payout_id, currency, units, cleared_units, commission_units, fee_units,
     fee_currency, chain, txid, first_seen_at, block_height, block_hash, disposition, is_confirmed, confirmed_at,
     is_settled, revision, risk, risk_status, released_at, message, user_message, created_at, updated_at)
   select account_id, id, op_type, status, wallet_id, payout_id, currency, units, cleared_units, commission_units, fee_units,
     fee_currency, chain, txid, first_seen_at, block_height, block_hash, disposition, is_confirmed, confirmed_at,
     is_settled, revision, risk, risk_status, released_at, message, user_message, created_at, updated_at
   from jsonb_populate_recordset(null::transfer, $1::jsonb)
   on conflict (account_id, id) do update set
     status = excluded.status, txid = excluded.txid, block_height = excluded.block_height,
     block_hash = excluded.block_hash, is_confirmed = excluded.is_confirmed, confirmed_at = excluded.confirmed_at,
     is_settled = excluded.is_settled, revision = excluded.revision, risk = excluded.risk,
     risk_status = excluded.risk_status, released_at = excluded.released_at, message = excluded.message,
     user_message = excluded.user_message, updated_at = excluded.updated_at`,
);

async function saveTransfersOfPayouts(
  tx: Executor,
  transfers: readonly PayoutTransfer[],
): Promise<void> {
  await tx.query(saveTransfers, [JSON.stringify(transfers.map(transferToRow))]);
}

function transferToRow(transfer: PayoutTransfer) {
  return {
    account_id: transfer.accountId,
    id: transfer.id,
    op_type: transfer.opType,
    status: transfer.status,
    wallet_id: transfer.walletId,
    payout_id: transfer.payoutId,
    currency: transfer.currency,
    units: transfer.units.toString(),
    cleared_units: transfer.clearedUnits.toString(),
    commission_units: transfer.commissionUnits.toString(),
    fee_units: transfer.fee.units.toString(),
    fee_currency: transfer.fee.currency,
    chain: transfer.chain,
    txid: transfer.txid,
    first_seen_at: formatTimestamp(transfer.createdAt),
    block_height: transfer.block?.height ?? null,
    block_hash: transfer.block?.hash ?? null,
    disposition: transfer.disposition,
    is_confirmed: transfer.isConfirmed,
    confirmed_at: formatTimestampOrNull(transfer.confirmedAt),
    is_settled: transfer.isSettled,
    revision: transfer.revision,
    risk: transfer.risk,
    risk_status: transfer.riskStatus,
    released_at: formatTimestampOrNull(transfer.releasedAt),
    message: transfer.message,
    user_message: transfer.userMessage,
    created_at: formatTimestamp(transfer.createdAt),
    updated_at: formatTimestamp(transfer.updatedAt),
  };
}

const readConfirmedAt = statement<{
  readonly id: string;
  readonly confirmedAt: PayoutTransfer["confirmedAt"];
}>(
  "payout.read-confirmed-at",
  `select id, confirmed_at as "confirmedAt" from transfer
   where (account_id, id) in (select * from unnest($1::bigint[], $2::bigint[]))`,
);

/** When the payouts' transfers reached their confirmation counts, by transfer id. */
export async function readConfirmationTimes(
  tx: Executor,
  payouts: readonly Payout[],
): Promise<ReadonlyMap<string, PayoutTransfer["confirmedAt"]>> {
  const rows = await tx.query(readConfirmedAt, [
    payouts.map((payout) => payout.accountId),
    payouts.map((payout) => payout.transferId),
  ]);
  return new Map(rows.map((row) => [row.id, row.confirmedAt]));
}

const findDue = statement<{ readonly id: string }>(
  "payout.find-due",
  `select id from payout p where chain = $1 and due_height <= $2 and not exists (
     select from spend s where s.id = p.spend_id and s.state = 'included' and s.due_height <= $2)
   order by id`,
);

/**
 * Payouts of a chain that change when its tip reaches `height`, except those whose transaction's outcome must be read
 * again first.
 */
export async function findDuePayouts(
  tx: Executor,
  chain: string,
  height: number,
): Promise<readonly string[]> {
  return (await tx.query(findDue, [chain, height])).map((row) => row.id);
}

const readTips = statement<{ readonly chain: string; readonly height: string | null }>(
  "payout.read-tips",
  "select chain, height from chain_cursor where chain = any($1::text[])",
);

/** The height up to which each chain has been read; chains never read are absent. */
export async function readPayoutTips(
  tx: Executor,
  chains: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query(readTips, [chains]);
  return new Map(
    rows.flatMap((row) => (row.height === null ? [] : [[row.chain, Number(row.height)]])),
  );
}
