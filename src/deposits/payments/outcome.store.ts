import { assignments, columnList, writeRecord } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { type Deposit, depositOutcome } from "../deposit.ts";
import { stateOfDeposit } from "../deposit-state.ts";
import {
  type TransferRecord,
  transferFields,
  transferRefunds,
  transferState,
  transferToRow,
} from "../transfers/transfer.ts";
import { tallyToRow } from "./tally.ts";

const savedColumns = columnList({ ...transferFields, transferRefunds });

const saveTransfers = statement<never>(
  "outcome.save-transfers",
  `insert into transfer (${savedColumns})
   select ${savedColumns} from jsonb_populate_recordset(null::transfer, $1::jsonb)
   on conflict (account_id, id) do update set ${assignments({ ...transferState, transferRefunds }, "excluded")}`,
);

/** Rows per statement, bounded because a JavaScript string has a maximum length. */
const rowsMax = 1_000;

/** Inserts new transfers and updates known ones, whose amounts never change. */
export async function saveTransferRows(
  tx: Executor,
  transfers: readonly TransferRecord[],
): Promise<void> {
  for (let from = 0; from < transfers.length; from += rowsMax) {
    const rows = transfers.slice(from, from + rowsMax).map(transferToRow);
    await tx.query(saveTransfers, [JSON.stringify(rows)]);
  }
}

const saveDeposits = statement<never>(
  "outcome.save-deposits",
  `update deposit d set ${assignments(depositOutcome, "o")}, tally = o.tally, state = o.state
   from jsonb_populate_recordset(null::deposit, $1::jsonb) as o
   where d.account_id = o.account_id and d.id = o.id`,
);

/** Stores decided deposits; the caller holds their row locks. */
export async function saveDepositOutcomes(
  tx: Executor,
  deposits: readonly Deposit[],
): Promise<void> {
  if (deposits.length === 0) return;
  await tx.query(saveDeposits, [JSON.stringify(deposits.map(outcomeToRow))]);
}

function outcomeToRow(deposit: Deposit): JsonObject {
  return {
    account_id: deposit.accountId,
    id: deposit.id,
    ...writeRecord(depositOutcome, deposit),
    state: stateOfDeposit(deposit),
    tally: tallyToRow(deposit.tally, deposit.updatedAt),
  };
}

const change = statement<never>(
  "deposit.change",
  `update deposit set label = $3, tracking_id = $4, time_limit = $5, invoice_updated_at = $6, expires_at = $7,
     expiry_concluded_at = $8, tally = null, updated_at = $9
   where account_id = $1 and id = $2`,
);

/** Stores the fields that a client may change; the caller holds the row's lock. The change may make payments late or on time. */
export async function saveChangedDeposit(
  tx: Executor,
  deposit: Deposit,
  now: Instant,
): Promise<void> {
  await tx.query(change, [
    deposit.accountId,
    deposit.id,
    deposit.label,
    deposit.trackingId,
    deposit.timeLimit,
    formatTimestampOrNull(deposit.invoiceUpdatedAt),
    formatTimestampOrNull(deposit.expiresAt),
    formatTimestampOrNull(deposit.expiryConcludedAt),
    formatTimestamp(now),
  ]);
}
