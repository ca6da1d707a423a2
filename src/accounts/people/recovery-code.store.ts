import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

const removeAll = statement(
  "recovery-code.remove-all",
  "delete from recovery_code where account_id = $1 and member_id = $2",
);

const insert = statement(
  "recovery-code.insert",
  `insert into recovery_code (account_id, member_id, digest) select $1, $2, * from unnest($3::bytea[])`,
);

const use = statement<{ digest: Uint8Array }>(
  "recovery-code.use",
  `update recovery_code set used_at = $4
   where account_id = $1 and member_id = $2 and digest = $3 and used_at is null returning digest`,
);

type Of = { readonly accountId: string; readonly memberId: string };

/** Replaces all of the member's recovery codes; an empty list removes them. */
export async function replaceRecoveryCodes(
  db: Executor,
  { accountId, memberId }: Of,
  digests: readonly Uint8Array[],
): Promise<void> {
  await db.query(removeAll, [accountId, memberId]);
  if (digests.length > 0) await db.query(insert, [accountId, memberId, digests]);
}

/** Marks a code as used. False when the member has no such code, or used it before. */
export async function storeUsedRecoveryCode(
  db: Executor,
  { accountId, memberId }: Of,
  digest: Uint8Array,
  at: Instant,
): Promise<boolean> {
  const rows = await db.query(use, [accountId, memberId, digest, formatTimestamp(at)]);
  return rows.length === 1;
}
