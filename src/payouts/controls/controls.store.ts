import { recordNotices } from "../../notifications/record-notices.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { LimitSpan } from "./limit-span.ts";
import type { PauseCause } from "./pause.store.ts";
import { resumptionNotice, stopNotice } from "./stop-notice.ts";

const blockWallet = statement<{ account_id: string; label: string; was_blocked: boolean }>(
  "payout-controls.block-wallet",
  `update wallet set payouts_blocked = $2::timestamptz is not null, payouts_blocked_at = $2::timestamptz,
     payouts_blocked_reason = $3, payouts_blocked_by = $4::bigint
   from (select id, payouts_blocked from wallet where id = $1 for update) before
   where wallet.id = before.id
   returning wallet.account_id, wallet.label, before.payouts_blocked as was_blocked`,
);

/**
 * Pauses payouts of one wallet, in a transaction with the notices of it. Resolves with the wallet's account id, or null if there is no
 * such wallet.
 */
export async function pauseWallet(
  tx: Executor,
  walletId: string,
  { now, reason, by }: PauseCause,
): Promise<string | null> {
  const values = [walletId, formatTimestamp(now), reason, by?.memberId ?? null];
  const [row] = await tx.query(blockWallet, values);
  if (row === undefined) return null;
  const { account_id: accountId, label, was_blocked: wasBlocked } = row;
  if (!wasBlocked) {
    const stop = { chain: null, wallet: { id: walletId, label }, cause: null, reason };
    await recordNotices(tx, [stopNotice({ accountId, walletId }, stop)], now);
  }
  return accountId;
}

/** Resumes payouts of one wallet. `by` is the name of the member who does; null on the command line. Resolves like `pauseWallet`. */
export async function resumeWallet(
  tx: Executor,
  walletId: string,
  by: string | null,
  now: Instant,
): Promise<string | null> {
  const [row] = await tx.query(blockWallet, [walletId, null, null, null]);
  if (row === undefined) return null;
  const { account_id: accountId, label, was_blocked: wasBlocked } = row;
  if (wasBlocked) {
    const resumed = { chain: null, wallet: { id: walletId, label }, cause: null, by };
    await recordNotices(tx, [resumptionNotice({ accountId, walletId }, resumed, now)], now);
  }
  return accountId;
}

export type LimitScope = {
  /** Null for every account. */
  readonly accountId: string | null;
  /** Null for every wallet. */
  readonly walletId: string | null;
  readonly currency: string;
  readonly span: LimitSpan;
};

const saveLimitStatement = statement<{ account_id: string | null }>(
  "payout-controls.save-limit",
  `insert into payout_limit (account_id, wallet_id, currency, span, units)
   select $1::bigint, $2::bigint, $3, $4, $5::numeric
   where $2::bigint is null
     or exists (select from wallet where id = $2 and account_id = coalesce($1, account_id))
   on conflict (account_id, wallet_id, currency, span) do update set units = excluded.units
   returning coalesce(account_id, (select w.account_id from wallet w where w.id = wallet_id)) as account_id`,
);

const dropLimitStatement = statement<{ account_id: string | null }>(
  "payout-controls.drop-limit",
  `delete from payout_limit where account_id is not distinct from $1 and wallet_id is not distinct from $2
     and currency = $3 and span = $4
   returning coalesce(account_id, (select w.account_id from wallet w where w.id = wallet_id)) as account_id`,
);

/**
 * Sets a limit above which payouts need approval, or removes it if `units` is null. Resolves with null if there is no
 * such wallet, otherwise with the account whose payouts it affects (null for every account, or if there was no limit
 * to remove).
 */
export async function saveLimit(
  db: Executor,
  { accountId, walletId, currency, span }: LimitScope,
  units: bigint | null,
): Promise<{ readonly accountId: string | null } | null> {
  const scope = [accountId, walletId, currency, span];
  if (units !== null) {
    const [saved] = await db.query(saveLimitStatement, [...scope, units]);
    return saved === undefined ? null : { accountId: saved.account_id };
  }
  const [dropped] = await db.query(dropLimitStatement, scope);
  return { accountId: dropped?.account_id ?? null };
}

export type Payee = {
  readonly accountId: string;
  readonly chain: string;
  /** In its canonical spelling. */
  readonly address: string;
  readonly tag: string | null;
};

const addPayeeStatement = statement(
  "payout-controls.add-payee",
  `insert into address_book (account_id, chain, address, tag, label, created_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (account_id, chain, address, tag) do update set label = excluded.label`,
);

/** Adds a destination to an account's allowlist. */
export async function addPayee(
  db: Executor,
  { accountId, chain, address, tag }: Payee,
  label: string,
  now: Instant,
): Promise<void> {
  await db.query(addPayeeStatement, [accountId, chain, address, tag, label, formatTimestamp(now)]);
}

const removePayeeStatement = statement<{ address: string }>(
  "payout-controls.remove-payee",
  `delete from address_book where account_id = $1 and chain = $2 and address = $3 and tag is not distinct from $4
   returning address`,
);

/** Removes a destination from an account's allowlist; false if it was not listed. */
export async function removePayee(
  db: Executor,
  { accountId, chain, address, tag }: Payee,
): Promise<boolean> {
  return (await db.query(removePayeeStatement, [accountId, chain, address, tag])).length > 0;
}

const bookOnly = statement<{ id: string }>(
  "payout-controls.book-only",
  "update account set pays_book_only = $2 where id = $1 returning id",
);

/** Restricts an account to allowlisted destinations, or lifts the restriction; false if there is no such account. */
export async function setAllowlistOnly(
  db: Executor,
  accountId: string,
  isAllowlistOnly: boolean,
): Promise<boolean> {
  return (await db.query(bookOnly, [accountId, isAllowlistOnly])).length > 0;
}
