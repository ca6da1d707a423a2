import { columnList, type Row } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { Role, WalletRights } from "../principal.ts";
import { type Member, memberFromRow, memberRowFields } from "./member.ts";

const grants = "wallet_grant g where g.account_id = m.account_id and g.member_id = m.id";
const columns = columnList(memberRowFields, "m", {
  needs_confirmation: `m.confirmed_at is null and (m.created_by_member_id is not null or p.given_by_member_id is not null)
     and (select count(*) > 1 from member o
          where o.account_id = m.account_id and o.role = 'owner' and o.deactivated_at is null)`,
  login: "p.login",
  must_change_password: "coalesce(p.is_initial, false)",
  has_totp:
    "exists (select from totp t where t.account_id = m.account_id and t.member_id = m.id and t.confirmed_at is not null)",
  passkeys:
    "select count(*) from passkey k where k.account_id = m.account_id and k.member_id = m.id",
  last_seen_at:
    "select max(f.last_used_at) from token_family f where f.account_id = m.account_id and f.member_id = m.id",
  granted: `array(select g.wallet_id::text from ${grants} order by g.wallet_id)`,
  payable: `array(select g.wallet_id::text from ${grants} and g.may_pay)`,
});

const tables = `member m left join person_login p on p.account_id = m.account_id and p.member_id = m.id`;

const selectAll = statement<Row>(
  "member.list",
  `select ${columns} from ${tables} where m.account_id = $1 order by m.id`,
);

const selectOne = statement<Row>(
  "member.one",
  `select ${columns} from ${tables} where m.account_id = $1 and m.id = $2`,
);

const insertMember = statement<{ id: string }>(
  "member.insert",
  `insert into member (account_id, name, role, sees_all_wallets, created_at, created_by_member_id)
   values ($1, $2, $3, $4, $5, $6) returning id`,
);

const update = statement(
  "member.update",
  "update member set name = $3, role = $4, sees_all_wallets = $5 where account_id = $1 and id = $2",
);

const deleteGrants = statement(
  "member.delete-grants",
  "delete from wallet_grant where account_id = $1 and member_id = $2",
);

const insertGrants = statement(
  "member.insert-grants",
  `insert into wallet_grant (account_id, member_id, wallet_id, may_pay)
   select $1, $2, wallet_id, may_pay from unnest($3::bigint[], $4::boolean[]) as g (wallet_id, may_pay)`,
);

const upsertGrant = statement(
  "member.upsert-grant",
  `insert into wallet_grant (account_id, member_id, wallet_id, may_pay) values ($1, $2, $3, $4)
   on conflict (account_id, member_id, wallet_id) do update set may_pay = excluded.may_pay`,
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

/** An account's members, deactivated ones included, oldest first. */
export async function readMembers(db: Executor, accountId: string): Promise<readonly Member[]> {
  return (await db.query(selectAll, [accountId])).map(memberFromRow);
}

/** The member with this id; null when the account has none. */
export async function readMember(
  db: Executor,
  accountId: string,
  memberId: string,
): Promise<Member | null> {
  const [row] = await db.query(selectOne, [accountId, memberId]);
  return row === undefined ? null : memberFromRow(row);
}

/** Inserts the member with its wallet grants and returns its id. */
export async function storeMember(
  db: Executor,
  member: {
    readonly accountId: string;
    readonly name: string;
    readonly role: Role;
    readonly wallets: WalletRights;
    readonly createdAt: Instant;
    /** Null: the operator. */
    readonly createdByMemberId: string | null;
  },
): Promise<string> {
  const { accountId, name, role, wallets, createdAt, createdByMemberId } = member;
  const values = [accountId, name, role, wallets === "all", formatTimestamp(createdAt)];
  const [row] = await db.query(insertMember, [...values, createdByMemberId]);
  const { id } = present(row, "a new member's id");
  await replaceGrants(db, accountId, id, wallets);
  return id;
}

/** Replaces name, role and wallet grants of a member. */
export async function updateMember(
  db: Executor,
  member: {
    readonly accountId: string;
    readonly id: string;
    readonly name: string;
    readonly role: Role;
    readonly wallets: WalletRights;
  },
): Promise<void> {
  const { accountId, id, name, role, wallets } = member;
  await db.query(update, [accountId, id, name, role, wallets === "all"]);
  await replaceGrants(db, accountId, id, wallets);
}

async function replaceGrants(
  db: Executor,
  accountId: string,
  memberId: string,
  wallets: WalletRights,
): Promise<void> {
  const grants = wallets === "all" ? [] : [...wallets];
  await db.query(deleteGrants, [accountId, memberId]);
  await db.query(insertGrants, [
    accountId,
    memberId,
    grants.map(([walletId]) => walletId),
    grants.map(([, { mayPay }]) => mayPay),
  ]);
}

/** Grants a member one wallet. `mayPay` replaces the value of an existing grant. */
export async function storeGrant(
  db: Executor,
  grant: {
    readonly accountId: string;
    readonly memberId: string;
    readonly walletId: string;
    readonly mayPay: boolean;
  },
): Promise<void> {
  await db.query(upsertGrant, [grant.accountId, grant.memberId, grant.walletId, grant.mayPay]);
}

/** Deactivates the member at `at`; null activates it again. */
export async function storeDeactivation(
  db: Executor,
  accountId: string,
  memberId: string,
  at: Instant | null,
): Promise<void> {
  await db.query(deactivate, [accountId, memberId, at === null ? null : formatTimestamp(at)]);
}

/** Stores who confirmed the member (null: the operator). False when the member is already confirmed. */
export async function storeConfirmation(
  db: Executor,
  accountId: string,
  memberId: string,
  by: { readonly memberId: string | null; readonly at: Instant },
): Promise<boolean> {
  const rows = await db.query(confirm, [accountId, memberId, formatTimestamp(by.at), by.memberId]);
  return rows.length === 1;
}

/** Clears the confirmation: another member reset the access of this one. */
export async function clearConfirmation(
  db: Executor,
  accountId: string,
  memberId: string,
): Promise<void> {
  await db.query(unconfirm, [accountId, memberId]);
}

/** The subset of `ids` that are wallets of the account. */
export async function readOwnWallets(
  db: Executor,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query(ownWallets, [accountId, ids]);
  return new Set(rows.map((row) => row.id));
}
