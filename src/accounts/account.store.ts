import { type Executor, statement } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";
import type { Role, WalletRights } from "./principal.ts";

const nextAccountId = statement<{ id: string }>(
  "account.next-id",
  "select nextval(pg_get_serial_sequence('account', 'id')) as id",
);

// Whoever makes the first account runs the deployment.
const insertAccount = statement(
  "account.insert",
  `insert into account (id, name, is_ready, help_email, webhook_secret_sealed, created_at, is_operator)
   values ($1, $2, $3, $4, $5, $6, not exists (select from account))`,
);

const setReady = statement<{ id: string }>(
  "account.set-ready",
  "update account set is_ready = $2 where id = $1 returning id",
);

const insertMember = statement<{ id: string }>(
  "account.insert-member",
  `insert into member (account_id, name, role, sees_all_wallets, created_at, created_by_member_id)
   values ($1, $2, $3, $4, $5, $6) returning id`,
);

const updateMember = statement<{ id: string }>(
  "account.update-member",
  `update member set role = $3, sees_all_wallets = coalesce($4, sees_all_wallets)
   where account_id = $1 and id = $2 returning id`,
);

const deleteGrants = statement(
  "account.delete-grants",
  "delete from wallet_grant where account_id = $1 and member_id = $2",
);

const insertGrants = statement(
  "account.insert-grants",
  `insert into wallet_grant (account_id, member_id, wallet_id, may_pay)
   select $1, $2, wallet_id, may_pay from unnest($3::bigint[], $4::boolean[]) as g (wallet_id, may_pay)`,
);

const upsertGrant = statement(
  "account.upsert-grant",
  `insert into wallet_grant (account_id, member_id, wallet_id, may_pay) values ($1, $2, $3, $4)
   on conflict (account_id, member_id, wallet_id) do update set may_pay = excluded.may_pay`,
);

type MemberRow = {
  id: string;
  name: string;
  role: Role;
  sees_all_wallets: boolean;
  granted: string[];
  payable: string[];
};

/** An account has a row without a member too, so that it is told from one that is not there. */
const selectMembers = statement<MemberRow | { id: null }>(
  "account.members",
  `select m.id, m.name, m.role, m.sees_all_wallets,
          coalesce(array_agg(g.wallet_id::text order by g.wallet_id) filter (where g.wallet_id is not null), '{}')
            as granted,
          coalesce(array_agg(g.wallet_id::text) filter (where g.may_pay), '{}') as payable
   from account a
   left join member m on m.account_id = a.id
   left join wallet_grant g on g.account_id = m.account_id and g.member_id = m.id
   where a.id = $1
   group by m.id, m.name, m.role, m.sees_all_wallets
   order by m.id`,
);

/** Ids are taken before the insert, since what is sealed for a row names the row. */
export async function takeAccountId(db: Executor): Promise<string | null> {
  const [row] = await db.query(nextAccountId);
  return row?.id ?? null;
}

/** Inserts the account; its webhook secret is sealed for this very row. */
export async function storeAccount(
  db: Executor,
  account: {
    readonly id: string;
    readonly name: string;
    readonly isReady: boolean;
    readonly helpEmail: string | null;
    readonly webhookSecretSealed: Uint8Array;
    readonly createdAt: Instant;
  },
): Promise<void> {
  await db.query(insertAccount, [
    account.id,
    account.name,
    account.isReady,
    account.helpEmail,
    account.webhookSecretSealed,
    formatTimestamp(account.createdAt),
  ]);
}

/** False when there is no such account. */
export async function storeReadiness(
  db: Executor,
  accountId: string,
  isReady: boolean,
): Promise<boolean> {
  return (await db.query(setReady, [accountId, isReady])).length === 1;
}

/** Inserts the member and answers its id. The account has to be there. */
export async function storeMember(
  db: Executor,
  member: {
    readonly accountId: string;
    readonly name: string;
    readonly role: Role;
    readonly seesAllWallets: boolean;
    readonly createdAt: Instant;
    /** Null: the operator. */
    readonly createdByMemberId: string | null;
  },
): Promise<string | null> {
  const [row] = await db.query(insertMember, [
    member.accountId,
    member.name,
    member.role,
    member.seesAllWallets,
    formatTimestamp(member.createdAt),
    member.createdByMemberId,
  ]);
  return row?.id ?? null;
}

/** False when the account has no such member. */
export async function storeMemberRights(
  db: Executor,
  member: {
    readonly accountId: string;
    readonly memberId: string;
    readonly role: Role;
    /** Null: as it is. */
    readonly seesAllWallets: boolean | null;
  },
): Promise<boolean> {
  const rows = await db.query(updateMember, [
    member.accountId,
    member.memberId,
    member.role,
    member.seesAllWallets,
  ]);
  return rows.length === 1;
}

/** Replaces all wallet grants of a member. */
export async function storeGrants(
  db: Executor,
  accountId: string,
  memberId: string,
  grants: ReadonlyMap<string, { readonly mayPay: boolean }>,
): Promise<void> {
  await db.query(deleteGrants, [accountId, memberId]);
  await db.query(insertGrants, [
    accountId,
    memberId,
    [...grants.keys()],
    [...grants.values()].map((grant) => grant.mayPay),
  ]);
}

/** Grants a member one wallet, or changes whether payouts from it are granted too. */
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

/** Someone who acts for an account, as its operator may see it. */
export type Member = {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly wallets: WalletRights;
};

/** The members of an account in order of their ids; null when there is no such account. */
export async function readMembers(
  db: Executor,
  accountId: string,
): Promise<readonly Member[] | null> {
  const rows = await db.query(selectMembers, [accountId]);
  if (rows.length === 0) return null;
  return rows.flatMap((row) => (row.id === null ? [] : [toMember(row)]));
}

function toMember({ id, name, role, sees_all_wallets, granted, payable }: MemberRow): Member {
  const wallets = sees_all_wallets
    ? "all"
    : new Map(granted.map((wallet) => [wallet, { mayPay: payable.includes(wallet) }]));
  return { id, name, role, wallets };
}
