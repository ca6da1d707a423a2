import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

export type PersonLogin = {
  readonly accountId: string;
  readonly memberId: string;
  readonly login: string;
  readonly passwordHash: string;
  /** Another person knows the password, so it must be changed. */
  readonly isInitial: boolean;
  /** Whether the member is active. */
  readonly isActive: boolean;
};

const columns = `p.account_id as "accountId", p.member_id as "memberId", p.login, p.password_hash as "passwordHash",
  p.is_initial as "isInitial", m.deactivated_at is null as "isActive"`;
const tables = `person_login p join member m on m.account_id = p.account_id and m.id = p.member_id`;

const byLogin = statement<PersonLogin>(
  "person-login.by-login",
  `select ${columns} from ${tables} where p.login = $1`,
);

const byMember = statement<PersonLogin>(
  "person-login.by-member",
  `select ${columns} from ${tables} where p.account_id = $1 and p.member_id = $2`,
);

const give = statement(
  "person-login.give",
  `insert into person_login (account_id, member_id, login, password_hash, is_initial, changed_at, given_by_member_id,
                             given_at)
   values ($1, $2, $3, $4, $5, $6, $7, $6)
   on conflict (account_id, member_id) do update set
     login = excluded.login, password_hash = excluded.password_hash, is_initial = excluded.is_initial,
     changed_at = excluded.changed_at, given_by_member_id = excluded.given_by_member_id, given_at = excluded.given_at`,
);

const change = statement(
  "person-login.change",
  `update person_login set login = $3, password_hash = $4, is_initial = false, changed_at = $5
   where account_id = $1 and member_id = $2`,
);

/**
 * What was proven with the former password proves nothing any more. A statement of its own: it sees the challenges of the sign-ins for
 * which the one before it waited.
 */
const endChallenges = statement(
  "person-login.end-challenges",
  "delete from challenge where account_id = $1 and member_id = $2",
);

/** A replacement of the password waits for this lock, so that what depends on the former one is stored before, and ends with it. */
const holdHash = statement<{ held: boolean }>(
  "person-login.hold-hash",
  `select true as held from person_login where account_id = $1 and member_id = $2 and password_hash = $3
   for share`,
);

const isTaken = statement<{ is_taken: boolean }>(
  "person-login.is-taken",
  `select exists (select from person_login where login = $3 and (account_id, member_id) <> ($1::bigint, $2::bigint))
       or exists (select from credential where login = $3) as is_taken`,
);

/** Logins are unique across accounts, so only one transaction at a time assigns one. */
const lock = statement(
  "person-login.lock",
  "select pg_advisory_xact_lock(hashtextextended('person_login', 0))",
);

const selectHash = statement<{ password_hash: string }>(
  "person-login.hash-of-session",
  `select p.password_hash
   from token_family f
   join person_login p on p.account_id = f.account_id and p.member_id = f.member_id
   where f.id = $1`,
);

/** The person with this login, in any account; null when there is none. */
export async function readPersonLogin(db: Executor, login: string): Promise<PersonLogin | null> {
  return (await db.query(byLogin, [login]))[0] ?? null;
}

/** The member's login; null when it has none. */
export async function readLoginOfMember(
  db: Executor,
  accountId: string,
  memberId: string,
): Promise<PersonLogin | null> {
  return (await db.query(byMember, [accountId, memberId]))[0] ?? null;
}

/** Whether another member of any account, or a credential, has this login. */
export async function isLoginTaken(
  db: Executor,
  accountId: string,
  memberId: string,
  login: string,
): Promise<boolean> {
  const [row] = await db.query(isTaken, [accountId, memberId, login]);
  return row?.is_taken !== false;
}

/** Stores or replaces a member's login and password, and ends the sign-ins that have not finished. */
export async function storePersonLogin(
  db: Executor,
  login: Omit<PersonLogin, "isActive"> & {
    /** Null: the operator. */
    readonly givenByMemberId: string | null;
    readonly givenAt: Instant;
  },
): Promise<void> {
  await db.query(give, [
    login.accountId,
    login.memberId,
    login.login,
    login.passwordHash,
    login.isInitial,
    formatTimestamp(login.givenAt),
    login.givenByMemberId,
  ]);
  await db.query(endChallenges, [login.accountId, login.memberId]);
}

/** Replaces login and password with those the person chose, as `storePersonLogin` does. Who gave the initial ones stays stored. */
export async function changePersonLogin(
  db: Executor,
  login: Pick<PersonLogin, "accountId" | "memberId" | "login" | "passwordHash">,
  at: Instant,
): Promise<void> {
  await db.query(change, [
    login.accountId,
    login.memberId,
    login.login,
    login.passwordHash,
    formatTimestamp(at),
  ]);
  await db.query(endChallenges, [login.accountId, login.memberId]);
}

/** Keeps the password from being replaced until the transaction ends. False if it is another one by now. */
export async function holdPassword(
  tx: Executor,
  login: Pick<PersonLogin, "accountId" | "memberId" | "passwordHash">,
): Promise<boolean> {
  const values = [login.accountId, login.memberId, login.passwordHash];
  return (await tx.query(holdHash, values)).length === 1;
}

/** Locks the assignment of logins until the transaction ends, so that no two members get the same one. */
export async function lockLogins(tx: Executor): Promise<void> {
  await tx.query(lock);
}

/** The password hash of a session's person. */
export async function readPasswordHash(db: Executor, familyId: string): Promise<string | null> {
  return (await db.query(selectHash, [familyId]))[0]?.password_hash ?? null;
}
