import { type Executor, statement } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";
import type { MemberRecord } from "./member-record.ts";
import type { Role } from "./principal.ts";

type Row = {
  id: string;
  name: string;
  role: Role;
  sees_all_wallets: boolean;
  granted: string[];
  payable: string[];
  created_at: Instant;
  deactivated_at: Instant | null;
  created_by_member_id: string | null;
  confirmed_at: Instant | null;
  needs_confirmation: boolean;
  login: string | null;
  must_change_password: boolean;
  has_totp: boolean;
  passkeys: string;
  last_seen_at: Instant | null;
};

const columns = `m.id, m.name, m.role, m.sees_all_wallets, m.created_at, m.deactivated_at, m.created_by_member_id,
  m.confirmed_at,
  m.confirmed_at is null and (m.created_by_member_id is not null or p.given_by_member_id is not null)
    and (select count(*) > 1 from member o
         where o.account_id = m.account_id and o.role = 'owner' and o.deactivated_at is null) as needs_confirmation,
  p.login,
  coalesce(p.is_initial, false) as must_change_password,
  array(select g.wallet_id::text from wallet_grant g
        where g.account_id = m.account_id and g.member_id = m.id order by g.wallet_id) as granted,
  array(select g.wallet_id::text from wallet_grant g
        where g.account_id = m.account_id and g.member_id = m.id and g.may_pay) as payable,
  exists (select from totp t where t.account_id = m.account_id and t.member_id = m.id and t.confirmed_at is not null)
    as has_totp,
  (select count(*) from passkey k where k.account_id = m.account_id and k.member_id = m.id) as passkeys,
  (select max(f.last_used_at) from token_family f where f.account_id = m.account_id and f.member_id = m.id)
    as last_seen_at`;
const tables = `member m left join person_login p on p.account_id = m.account_id and p.member_id = m.id`;

const selectAll = statement<Row>(
  "member.list",
  `select ${columns} from ${tables} where m.account_id = $1 order by m.id`,
);

const selectOne = statement<Row>(
  "member.one",
  `select ${columns} from ${tables} where m.account_id = $1 and m.id = $2`,
);

const selectAccountName = statement<{ name: string }>(
  "member.account-name",
  "select name from account where id = $1",
);

/**
 * Changes of who may do what in an account take turns: rules over several members hold. The key stays shared: who writes an audit entry
 * refers to the account with the log's turn already taken, for which these changes wait in the end.
 */
const lockAccount = statement(
  "member.lock-account",
  "select from account where id = $1 for no key update",
);

const rename = statement(
  "member.rename",
  "update member set name = $3 where account_id = $1 and id = $2",
);

const deactivate = statement(
  "member.set-deactivated",
  "update member set deactivated_at = $3 where account_id = $1 and id = $2",
);

const confirm = statement<{ id: string }>(
  "member.confirm",
  `update member set confirmed_at = $3, confirmed_by_member_id = $4
   where account_id = $1 and id = $2 and confirmed_at is null returning id`,
);

const unconfirm = statement(
  "member.unconfirm",
  "update member set confirmed_at = null, confirmed_by_member_id = null where account_id = $1 and id = $2",
);

const ownWallets = statement<{ id: string }>(
  "member.own-wallets",
  "select id from wallet where account_id = $1 and id = any($2::bigint[])",
);

/** An account's members, deactivated ones too, oldest first. */
export async function readAllMembers(
  db: Executor,
  accountId: string,
): Promise<readonly MemberRecord[]> {
  return (await db.query(selectAll, [accountId])).map((row) => toMember(row));
}

/** The member of that id; null when the account has none. */
export async function readMember(
  db: Executor,
  accountId: string,
  memberId: string,
): Promise<MemberRecord | null> {
  const [row] = await db.query(selectOne, [accountId, memberId]);
  return row === undefined ? null : toMember(row);
}

/** Null when there is no such account. */
export async function readAccountName(db: Executor, accountId: string): Promise<string | null> {
  const [row] = await db.query(selectAccountName, [accountId]);
  return row?.name ?? null;
}

/** Has changes of the account's members take turns until the transaction ends. */
export async function lockMembers(db: Executor, accountId: string): Promise<void> {
  await db.query(lockAccount, [accountId]);
}

/** Renames the member. */
export async function storeMemberName(
  db: Executor,
  accountId: string,
  memberId: string,
  name: string,
): Promise<void> {
  await db.query(rename, [accountId, memberId, name]);
}

/** Null: active again. */
export async function storeDeactivation(
  db: Executor,
  accountId: string,
  memberId: string,
  at: Instant | null,
): Promise<void> {
  await db.query(deactivate, [accountId, memberId, at === null ? null : formatTimestamp(at)]);
}

/** Notes who confirmed the member (null: the operator); false when it is confirmed already, or there is no such member. */
export async function storeConfirmationOfMember(
  db: Executor,
  accountId: string,
  memberId: string,
  by: { readonly memberId: string | null; readonly at: Instant },
): Promise<boolean> {
  const rows = await db.query(confirm, [accountId, memberId, formatTimestamp(by.at), by.memberId]);
  return rows.length === 1;
}

/** Another member has given this one new access: it has to be confirmed again. */
export async function forgetConfirmation(
  db: Executor,
  accountId: string,
  memberId: string,
): Promise<void> {
  await db.query(unconfirm, [accountId, memberId]);
}

/** Which of these are the account's wallets. */
export async function readOwnWallets(
  db: Executor,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query(ownWallets, [accountId, ids]);
  return new Set(rows.map((row) => row.id));
}

function toMember(row: Row): MemberRecord {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    wallets: row.sees_all_wallets
      ? "all"
      : new Map(row.granted.map((id) => [id, { mayPay: row.payable.includes(id) }])),
    createdAt: row.created_at,
    deactivatedAt: row.deactivated_at,
    createdByMemberId: row.created_by_member_id,
    confirmedAt: row.confirmed_at,
    needsConfirmation: row.needs_confirmation,
    login: row.login,
    mustChangePassword: row.must_change_password,
    hasTotp: row.has_totp,
    passkeys: Number(row.passkeys),
    lastSeenAt: row.last_seen_at,
  };
}
