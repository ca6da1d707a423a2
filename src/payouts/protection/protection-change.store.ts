import { ofAccount } from "../../platform/db/account-scope.ts";
import { columnDefinitions, columnList, type Row, writeRecord } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { fetchPage, type ListSql } from "../../platform/db/list-query.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type ListQuery, mapPage, type Page } from "../../platform/kernel/list-query.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { LimitSpan } from "../controls/limit-span.ts";
import type { LimitRows } from "./decide-protection.ts";
import {
  type NewProtectionChange,
  type ProtectionChange,
  type ProtectionStatus,
  protectionChangeFromRow,
  protectionFields,
  shownFields,
} from "./protection-change.ts";
import { protectionFilters, protectionSort } from "./protection-change-filters.ts";

const columns = columnList(shownFields, "c", {
  created_by_name: "asker.name",
  decided_by_name: "decider.name",
});
const tables = `protection_change c
  join member asker on asker.account_id = c.account_id and asker.id = c.created_by_member_id
  left join member decider on decider.account_id = c.account_id and decider.id = c.decided_by_member_id`;

const list: ListSql = {
  name: "protection-change.list",
  select: columns,
  from: tables,
  filters: protectionFilters,
  sort: protectionSort,
};

/** A page of an account's changes. */
export async function listChangeRows(
  db: Executor,
  accountId: string,
  query: ListQuery,
): Promise<Page<ProtectionChange>> {
  const scope = [ofAccount("c.account_id", accountId)];
  return mapPage(await fetchPage<Row>(db, list, scope, query), protectionChangeFromRow);
}

const readOne = statement<Row>(
  "protection-change.read",
  `select ${columns} from ${tables} where c.account_id = $1 and c.id = $2`,
);

/** The change with this id; null when the account has none. */
export async function readChangeRow(
  db: Executor,
  accountId: string,
  id: string,
): Promise<ProtectionChange | null> {
  const [row] = await db.query(readOne, [accountId, id]);
  return row === undefined ? null : protectionChangeFromRow(row);
}

const insert = statement<{ readonly id: string }>(
  "protection-change.insert",
  `insert into protection_change (${columnList(protectionFields)})
   select * from json_to_record($1::json) as c (${columnDefinitions(protectionFields)}) returning id`,
);

/** Stores a change and returns its id. */
export async function insertChange(tx: Executor, change: NewProtectionChange): Promise<string> {
  const [row] = await tx.query(insert, [JSON.stringify(writeRecord(protectionFields, change))]);
  return present(row, "the new change").id;
}

const decide = statement<{ readonly id: string }>(
  "protection-change.decide",
  `update protection_change set status = $3, decided_by_member_id = $4, decided_at = $5
   where account_id = $1 and id = $2 and status = 'waiting' returning id`,
);

/** Ends the wait of a change; false if it waits no more. */
export async function decideChange(
  tx: Executor,
  { accountId, id }: Pick<ProtectionChange, "accountId" | "id">,
  status: Exclude<ProtectionStatus, "waiting">,
  memberId: string | null,
  now: Instant,
): Promise<boolean> {
  const values = [accountId, id, status, memberId, formatTimestamp(now)];
  return (await tx.query(decide, values)).length > 0;
}

const supersede = statement(
  "protection-change.supersede",
  `update protection_change set status = 'superseded', decided_at = $3
   where account_id = $1 and subject = $2 and status = 'waiting'`,
);

/** Ends the wait of a subject's change, because the subject has just been changed otherwise. */
export async function supersedeChanges(
  tx: Executor,
  accountId: string,
  subject: string,
  now: Instant,
): Promise<void> {
  await tx.query(supersede, [accountId, subject, formatTimestamp(now)]);
}

const supersedeWallets = statement(
  "protection-change.supersede-wallets",
  `update protection_change set status = 'superseded', decided_at = $4
   where account_id = $1 and currency = $2 and span = $3 and wallet_id is not null and kind in ('limit', 'limit_removal')
     and status = 'waiting'`,
);

/** Ends the wait of changes of wallets' limits that were asked for before the account's own limit became stricter. */
export async function supersedeWalletChanges(
  tx: Executor,
  accountId: string,
  { currency, span }: { readonly currency: string; readonly span: LimitSpan },
  now: Instant,
): Promise<void> {
  await tx.query(supersedeWallets, [accountId, currency, span, formatTimestamp(now)]);
}

const supersedeEverywhere = statement(
  "protection-change.supersede-everywhere",
  "update protection_change set status = 'superseded', decided_at = $2 where subject = $1 and status = 'waiting'",
);

/** Ends the wait of changes of a subject that is the whole deployment's, in all accounts. */
export async function supersedeEverywhereChanges(
  tx: Executor,
  subject: string,
  now: Instant,
): Promise<void> {
  await tx.query(supersedeEverywhere, [subject, formatTimestamp(now)]);
}

const expire = statement<{ readonly id: string }>(
  "protection-change.expire",
  `update protection_change set status = 'expired', decided_at = $2
   where account_id = $1 and status = 'waiting' and applies_at is null and expires_at <= $2 returning id`,
);

/** Ends the wait of the account's changes that nobody approved in time, and returns their ids. */
export async function expireChanges(
  tx: Executor,
  accountId: string,
  now: Instant,
): Promise<readonly string[]> {
  return (await tx.query(expire, [accountId, formatTimestamp(now)])).map(({ id }) => id);
}

const readWaiting = statement<Row>(
  "protection-change.waiting",
  `select ${columns} from ${tables} where c.account_id = $1 and c.status = 'waiting' order by c.id`,
);

/** The account's changes that wait, oldest first. */
export async function readWaitingChanges(
  tx: Executor,
  accountId: string,
): Promise<readonly ProtectionChange[]> {
  return (await tx.query(readWaiting, [accountId])).map(protectionChangeFromRow);
}

const readDue = statement<{ readonly accountId: string; readonly id: string }>(
  "protection-change.due",
  `select account_id as "accountId", id from protection_change
   where status = 'waiting' and coalesce(applies_at, expires_at) <= $1
   order by coalesce(applies_at, expires_at) limit 100`,
);

/** Changes whose period is over or that expire, the longest due first. */
export function readDueChanges(
  db: Executor,
  now: Instant,
): Promise<readonly { readonly accountId: string; readonly id: string }[]> {
  return db.query(readDue, [formatTimestamp(now)]);
}

const readLimits = statement<LimitRows>(
  "protection-change.limits",
  `select
     max(units) filter (where account_id is not null and wallet_id is not null) as "ownWallet",
     max(units) filter (where account_id is null and wallet_id is not null) as "operatorWallet",
     max(units) filter (where account_id is not null and wallet_id is null) as "ownAccount",
     max(units) filter (where account_id is null and wallet_id is null) as deployment
   from payout_limit
   where currency = $2 and span = $3 and (account_id = $1 or account_id is null) and (wallet_id = $4 or wallet_id is null)`,
);

/** The limits that may apply to payouts of an account, or of one of its wallets. */
export async function readLimitRows(
  tx: Executor,
  scope: {
    readonly accountId: string;
    readonly walletId: string | null;
    readonly currency: string;
    readonly span: LimitSpan;
  },
): Promise<LimitRows> {
  const { accountId, walletId, currency, span } = scope;
  const [row] = await tx.query(readLimits, [accountId, currency, span, walletId]);
  return present(row, "one row of sums");
}

const readAllowlist = statement<{
  readonly isEnforced: boolean;
  readonly isListed: boolean;
}>(
  "protection-change.allowlist",
  `select a.pays_book_only as "isEnforced",
     exists (select from address_book k
       where k.account_id = a.id and k.chain = $2 and k.address = $3 and k.tag is not distinct from $4) as "isListed"
   from account a where a.id = $1`,
);

/** Whether the account pays its allowlist only, and whether a destination is on it. */
export async function readAllowlistState(
  tx: Executor,
  accountId: string,
  payee: {
    readonly chain: string | null;
    readonly address: string | null;
    readonly tag: string | null;
  },
): Promise<{ readonly isEnforced: boolean; readonly isListed: boolean }> {
  const { chain, address, tag } = payee;
  const [row] = await tx.query(readAllowlist, [accountId, chain, address, tag]);
  return present(row, "the account");
}

export type ListedPayee = {
  readonly chain: string;
  readonly address: string;
  readonly tag: string | null;
  readonly label: string;
};

const readPayee = statement<ListedPayee>(
  "protection-change.payee",
  "select chain, address, tag, label from address_book where account_id = $1 and id = $2",
);

/** The allowlisted destination with this id; null when the account has none. */
export async function readListedPayee(
  tx: Executor,
  accountId: string,
  id: string,
): Promise<ListedPayee | null> {
  const [row] = await tx.query(readPayee, [accountId, id]);
  return row ?? null;
}

const readWallet = statement<{ readonly id: string }>(
  "protection-change.wallet",
  "select id from wallet where account_id = $1 and id = $2",
);

/** Whether the account has this wallet. */
export async function hasWallet(
  tx: Executor,
  accountId: string,
  walletId: string,
): Promise<boolean> {
  return (await tx.query(readWallet, [accountId, walletId])).length > 0;
}

const readAccessChange = statement<{ readonly seq: string }>(
  "protection-change.access-change",
  `select seq from audit_entry
   where account_id = $1 and object_type = 'member' and created_at > $2 and member_id is not null
     and (action in ('member.deactivated', 'member.access_reset') or (action = 'member.changed' and summary ?| array['role', 'wallets']))
   limit 1`,
);

/** Whether a member deactivated another, changed its role or wallets, or reset its access after `since`. */
export async function wasAccessTaken(
  tx: Executor,
  accountId: string,
  since: Instant,
): Promise<boolean> {
  return (await tx.query(readAccessChange, [accountId, formatTimestamp(since)])).length > 0;
}
