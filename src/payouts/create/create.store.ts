import pg from "pg";
import { assertAdmitted, isAdmitted } from "../../platform/db/admission.ts";
import { answersByPlace } from "../../platform/db/answers-by-place.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/** One use of an idempotency key. A key can be used only once per account. */
export type KeyUse = {
  readonly accountId: string;
  readonly key: string;
  readonly fingerprint: Uint8Array;
};

export type ReservedIds = { readonly payoutId: string; readonly transferId: string };

/**
 * The transaction that inserts the row owns the key once it commits; others with the same key wait for it. Sorted to
 * avoid deadlocks between batches.
 */
const claim = statement<{
  readonly place: string;
  readonly payoutId: string;
  readonly transferId: string;
}>(
  "payout-create.claim-keys",
  `with input as materialized (
     select place, account_id, key, fingerprint, nextval(pg_get_serial_sequence('payout', 'id')) as payout_id,
       nextval(pg_get_serial_sequence('transfer', 'id')) as transfer_id
     from unnest($1::bigint[], $2::uuid[], $3::bytea[]) with ordinality as u (account_id, key, fingerprint, place)
     where ${isAdmitted}),
   claimed as (
     insert into payout_key (account_id, key, payout_id, fingerprint, created_at)
     select account_id, key, payout_id, fingerprint, $4::timestamptz from input order by account_id, key
     on conflict do nothing returning payout_id)
   select input.place, input.payout_id as "payoutId", input.transfer_id as "transferId"
   from input join claimed using (payout_id)`,
);

/**
 * Claims distinct keys and reserves ids for their payouts; null for keys already used. Rejects with `Unavailable`
 * while the database may not be the newest copy: another payout may have had the id.
 */
export async function claimKeys(
  tx: Executor,
  uses: readonly KeyUse[],
  now: Instant,
): Promise<readonly (ReservedIds | null)[]> {
  const rows = await tx.query(claim, [
    uses.map(({ accountId }) => accountId),
    uses.map(({ key }) => key),
    uses.map(({ fingerprint }) => fingerprint),
    formatTimestamp(now),
  ]);
  if (rows.length < uses.length) await assertAdmitted(tx);
  return answersByPlace(uses, rows, (row) => row);
}

const release = statement<never>(
  "payout-create.release-keys",
  `delete from payout_key where (account_id, key) in (select * from unnest($1::bigint[], $2::uuid[]))`,
);

/** Releases keys that this transaction claimed, since rejected requests do not use their keys. */
export async function releaseKeys(tx: Executor, uses: readonly KeyUse[]): Promise<void> {
  if (uses.length === 0) return;
  await tx.query(release, [uses.map(({ accountId }) => accountId), uses.map(({ key }) => key)]);
}

export type UsedKey = { readonly payoutId: string; readonly fingerprint: Uint8Array };

const readUsed = statement<UsedKey>(
  "payout-create.read-key",
  `select payout_id as "payoutId", fingerprint from payout_key where account_id = $1 and key = $2`,
);

/** The committed use of a key, or null. */
export async function readUsedKey(
  tx: Executor,
  { accountId, key }: Pick<KeyUse, "accountId" | "key">,
): Promise<UsedKey | null> {
  const [row] = await tx.query(readUsed, [accountId, key]);
  return row ?? null;
}

const lockDeposits = statement<never>(
  "payout-create.lock-deposits",
  "select from deposit where id = any($1::bigint[]) order by id for update",
);

/** Locks deposits that internal payouts pay, in id order and before any balance, like every change of a deposit. */
export async function lockPaidDeposits(tx: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.query(lockDeposits, [ids]);
}

const lockAccountsStatement = statement<never>(
  "payout-create.lock-accounts",
  "select from account where id = any($1::bigint[]) order by id for no key update",
);

/** Serializes creations of accounts with account-wide limits: each must see the sums of the others. */
export async function lockLimitedAccounts(tx: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.query(lockAccountsStatement, [ids]);
}

export type SpanQuestion = {
  readonly accountId: string;
  /** Null for all wallets of the account. */
  readonly walletId: string | null;
  readonly currency: string;
  readonly since: Instant;
};

const sumSpans = statement<{ readonly place: string; readonly units: bigint }>(
  "payout-create.sum-spans",
  `select input.place, coalesce((
     select sum(p.units) from payout p
     where p.account_id = input.account_id and p.currency = input.currency and p.created_at > input.since
       and (input.wallet_id is null or p.wallet_id = input.wallet_id)
       and p.stage not in ('cancelled', 'failed')), 0) as units
   from unnest($1::bigint[], $2::bigint[], $3::text[], $4::timestamptz[]) with ordinality
     as input (account_id, wallet_id, currency, since, place)`,
);

/** The amounts requested since then, except canceled and failed payouts, in units of the currency and in the given order. */
export async function sumPaidSince(
  tx: Executor,
  questions: readonly SpanQuestion[],
): Promise<readonly bigint[]> {
  if (questions.length === 0) return [];
  const rows = await tx.query(sumSpans, [
    questions.map(({ accountId }) => accountId),
    questions.map(({ walletId }) => walletId),
    questions.map(({ currency }) => currency),
    questions.map(({ since }) => formatTimestamp(since)),
  ]);
  return answersByPlace(questions, rows, (row) => row?.units ?? 0n);
}

const findTracking = statement<{ readonly walletId: string; readonly trackingId: string }>(
  "payout-create.find-tracking",
  `select wallet_id as "walletId", tracking_id as "trackingId" from payout
   where (account_id, wallet_id, tracking_id) in (select * from unnest($1::bigint[], $2::bigint[], $3::text[]))`,
);

/** The tracking ids of these wallets that are in use; reliable while the caller holds the wallets' balances locked. */
export async function findUsedTrackingIds(
  tx: Executor,
  requests: readonly {
    readonly accountId: string;
    readonly walletId: string;
    readonly trackingId: string;
  }[],
): Promise<readonly { readonly walletId: string; readonly trackingId: string }[]> {
  if (requests.length === 0) return [];
  return tx.query(findTracking, [
    requests.map(({ accountId }) => accountId),
    requests.map(({ walletId }) => walletId),
    requests.map(({ trackingId }) => trackingId),
  ]);
}

/** Whether a write failed because another payout of the wallet took the tracking id concurrently. */
export function isTrackingIdTaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === "payout_by_tracking";
}
