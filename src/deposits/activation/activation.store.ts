import type { Row } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { type Deposit, depositColumns, depositFromRow } from "../deposit.ts";
import {
  operationType,
  riskStatus,
  type TransferRecord,
  transferColumns,
  transferFromRow,
  transferStatus,
} from "../transfers/transfer.ts";

const activate = statement<Row>(
  "deposit-activation.activate",
  `update deposit d set is_active = true, address = coalesce(a.spellings ->> d.address_type, a.address), tag = a.tag, updated_at = $4
   from address a
   where d.account_id = $1 and d.id = $2 and not d.is_active and a.account_id = d.account_id and a.deposit_id = d.id
     and a.keyspace = $3
   returning ${depositColumns}`,
);

/** Shows an inactive deposit its address. Null if it was active. */
export async function activateDeposit(
  tx: Executor,
  { accountId, id }: Pick<Deposit, "accountId" | "id">,
  keyspace: string,
  now: Instant,
): Promise<Deposit | null> {
  const [row] = await tx.query(activate, [accountId, id, keyspace, formatTimestamp(now)]);
  return row === undefined ? null : depositFromRow(row);
}

/** The transfer that activated a deposit's address. It is the operator's money: the deposit is credited nothing. */
export type NewActivationTransfer = {
  readonly currency: string;
  readonly units: bigint;
  readonly chain: string;
  readonly txid: string;
  readonly watchKey: string;
  readonly height: number;
  readonly hash: string;
};

const insert = statement<Row>(
  "deposit-activation.insert-transfer",
  `with t as (
     insert into transfer (account_id, op_type, status, wallet_id, deposit_id, currency, units, chain, txid, output_index,
       watch_key, first_seen_at, block_height, block_hash, disposition, is_confirmed, confirmed_at, is_settled, risk_status,
       created_at, updated_at)
     values ($1, ${operationType.algorandActivation}, ${transferStatus.confirmed}, $2, $3, $4, $5, $6, $7, 0,
       $8, $11, $9, $10, 'none', true, $11, true, ${riskStatus.notAvailable}, $11, $11)
     returning *)
   select ${transferColumns} from t`,
);

/** Stores it, confirmed. */
export async function insertActivationTransfer(
  tx: Executor,
  { accountId, walletId, id }: Deposit,
  { currency, units, chain, txid, watchKey, height, hash }: NewActivationTransfer,
  now: Instant,
): Promise<TransferRecord> {
  const [row] = await tx.query(insert, [
    accountId,
    walletId,
    id,
    currency,
    units,
    chain,
    txid,
    watchKey,
    height,
    hash,
    formatTimestamp(now),
  ]);
  if (row === undefined) throw new Error("the activation's transfer was not stored");
  return transferFromRow(row);
}
