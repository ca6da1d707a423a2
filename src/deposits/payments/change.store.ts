import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import type { Deposit } from "../deposit.ts";

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
