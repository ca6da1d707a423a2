import { type Executor, statement } from "../db/database.ts";
import type { Instant } from "../kernel/clock.ts";
import { formatTimestamp } from "../kernel/timestamp.ts";

/** What a kill switch stops: every payout, or those of one chain. A wallet has a switch of its own. */
export type StopScope = "all" | `chain/${string}`;

/** Why and by whom a switch is turned on; null: from the command line. */
export type StopCause = {
  readonly reason: string;
  readonly by: { readonly accountId: string; readonly memberId: string } | null;
  readonly now: Instant;
};

const stop = statement(
  "payout-controls.stop",
  `insert into payout_stop (scope, by_reconciliation, reason, created_at, set_by_account_id, set_by_member_id)
   values ($1, false, $2, $3, $4, $5)
   on conflict (scope, by_reconciliation) do update
     set reason = excluded.reason, set_by_account_id = excluded.set_by_account_id,
       set_by_member_id = excluded.set_by_member_id`,
);

/** Turns a person's kill switch on: nothing new is accepted or drafted in its scope. One that is on gets the new reason. */
export async function stopPayouts(
  db: Executor,
  scope: StopScope,
  { reason, by, now }: StopCause,
): Promise<void> {
  await db.query(stop, [
    scope,
    reason,
    formatTimestamp(now),
    by?.accountId ?? null,
    by?.memberId ?? null,
  ]);
}

const resume = statement<{ scope: string }>(
  "payout-controls.resume",
  "delete from payout_stop where scope = $1 and not by_reconciliation returning scope",
);

/** Turns it off; false when it was not on. What reconciliation has stopped goes on when the books agree again. */
export async function resumePayouts(db: Executor, scope: StopScope): Promise<boolean> {
  return (await db.query(resume, [scope])).length > 0;
}

const blockWallet = statement<{ account_id: string }>(
  "payout-controls.block-wallet",
  `update wallet set payouts_blocked = $2::timestamptz is not null, payouts_blocked_at = $2::timestamptz,
     payouts_blocked_reason = $3, payouts_blocked_by = $4::bigint
   where id = $1 returning account_id`,
);

/** The same for one wallet, null turns it off; the id of its account, null when there is no such wallet. */
export async function setWalletStop(
  db: Executor,
  walletId: string,
  cause: StopCause | null,
): Promise<string | null> {
  const values =
    cause === null
      ? [null, null, null]
      : [formatTimestamp(cause.now), cause.reason, cause.by?.memberId ?? null];
  const [row] = await db.query(blockWallet, [walletId, ...values]);
  return row?.account_id ?? null;
}

export type PayoutStop = {
  readonly scope: string;
  readonly byReconciliation: boolean;
  readonly reason: string;
  readonly since: Instant;
};

const list = statement<PayoutStop>(
  "payout-controls.list",
  `select scope, by_reconciliation as "byReconciliation", reason, created_at as since from payout_stop
   order by scope, by_reconciliation`,
);

/** The switches that are on. */
export function listStops(db: Executor): Promise<readonly PayoutStop[]> {
  return db.query(list);
}

export type LimitScope = {
  /** Null: every account. */
  readonly accountId: string | null;
  /** Null: every wallet. */
  readonly walletId: string | null;
  readonly currency: string;
  readonly span: "transaction" | "hour" | "day";
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
 * Sets a limit above which payouts wait for approval; null lifts it. Null, with nothing set: there is no such wallet. Otherwise whose
 * payouts it concerns: null for everybody's, and where no limit was lifted.
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
  /** Canonical spelling. */
  readonly address: string;
  readonly tag: string | null;
};

const addPayeeStatement = statement(
  "payout-controls.add-payee",
  `insert into address_book (account_id, chain, address, tag, label, created_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (account_id, chain, address, tag) do update set label = excluded.label`,
);

/** Enters a destination into an account's address book. */
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

/** Takes it out again; false when it was not there. */
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

/** Whether an account pays to destinations of its address book only; false when there is no such account. */
export async function setBookOnly(
  db: Executor,
  accountId: string,
  isBookOnly: boolean,
): Promise<boolean> {
  return (await db.query(bookOnly, [accountId, isBookOnly])).length > 0;
}
