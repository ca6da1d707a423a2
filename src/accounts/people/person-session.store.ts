import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { OpenSession, SecondFactor } from "./person-session.ts";

/** Inserts nothing for a member who was deactivated in the meantime. */
const insert = statement<{ number: string }>(
  "person-session.open",
  `insert into token_family (id, account_id, member_id, refresh_salt, created_at, last_used_at,
                             confirmed_at, expires_at, second_factor, ip, user_agent)
   select $1, m.account_id, m.id, $4, $5, $5, $5, $6, $7, $8, $9
   from member m
   where m.account_id = $2 and m.id = $3 and m.deactivated_at is null
   returning number`,
);

export type LockedPersonSession = {
  readonly familyId: string;
  readonly number: string;
  readonly accountId: string;
  readonly memberId: string;
  readonly refreshSalt: Uint8Array;
  readonly expiresAt: Instant;
  readonly confirmedAt: Instant;
  readonly secondFactor: SecondFactor | null;
  /** The session was ended, or its member deactivated. */
  readonly isEnded: boolean;
};

/** Locks the session rather than the token, so that refreshes of one session run one after another. */
const lock = statement<LockedPersonSession>(
  "person-session.lock",
  `select f.id as "familyId", f.number, f.account_id as "accountId", f.member_id as "memberId",
          f.refresh_salt as "refreshSalt", f.expires_at as "expiresAt", f.confirmed_at as "confirmedAt",
          f.second_factor as "secondFactor", f.revoked_at is not null or m.deactivated_at is not null as "isEnded"
   from token_family f
   join member m on m.account_id = f.account_id and m.id = f.member_id
   where f.id = (select family_id from refresh_token where digest = $1)
   for update of f`,
);

export type StoredRefreshToken = { readonly expiresAt: Instant; readonly usedAt: Instant | null };

const selectToken = statement<StoredRefreshToken>(
  "person-session.token",
  'select expires_at as "expiresAt", used_at as "usedAt" from refresh_token where digest = $1',
);

const touch = statement(
  "person-session.touch",
  "update token_family set last_used_at = $2, ip = $3, user_agent = $4 where id = $1",
);

const confirm = statement(
  "person-session.confirm",
  "update token_family set confirmed_at = $2 where id = $1",
);

// A browser's push subscription outlives the expiry of its session, so those of expired sessions end with "all", too.
const end = statement<{ number: string }>(
  "person-session.end",
  `with unsubscribed as (
     delete from push_subscription s
     where s.account_id = $1 and s.member_id = $2 and ($3::bigint is null or s.session_number = $3)
       and not exists (select from token_family kept where kept.id = $5 and kept.number = s.session_number)
   )
   update token_family set revoked_at = $4
   where account_id = $1 and member_id = $2 and ($3::bigint is null or number = $3) and revoked_at is null
     and ($5::uuid is null or id <> $5)
   returning number`,
);

const isOpen = statement<{ number: string }>(
  "person-session.is-open",
  "select number from token_family where id = $1 and revoked_at is null",
);

const selectOpen = statement<OpenSession>(
  "person-session.list",
  `select f.number as id, f.created_at as "createdAt", f.last_used_at as "lastUsedAt", f.expires_at as "expiresAt", f.ip,
          f.user_agent as "userAgent", f.second_factor as "secondFactor"
   from token_family f
   where f.account_id = $1 and f.member_id = $2 and f.revoked_at is null and f.expires_at > $3
     and exists (select from refresh_token r where r.family_id = f.id and r.used_at is null and r.expires_at > $3)
   order by f.last_used_at desc, f.number desc`,
);

export type NewPersonSession = {
  readonly familyId: string;
  readonly accountId: string;
  readonly memberId: string;
  readonly refreshSalt: Uint8Array;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly secondFactor: SecondFactor | null;
  readonly ip: string;
  readonly userAgent: string;
};

/** Stores a session and returns its number; null when its member was deactivated in the meantime. */
export async function storePersonSession(
  db: Executor,
  session: NewPersonSession,
): Promise<string | null> {
  const [row] = await db.query(insert, [
    session.familyId,
    session.accountId,
    session.memberId,
    session.refreshSalt,
    formatTimestamp(session.createdAt),
    formatTimestamp(session.expiresAt),
    session.secondFactor,
    session.ip,
    session.userAgent,
  ]);
  return row?.number ?? null;
}

/** The session of a refresh token, locked until the transaction ends. */
export async function lockPersonSession(
  db: Executor,
  digest: Uint8Array,
): Promise<LockedPersonSession | null> {
  return (await db.query(lock, [digest]))[0] ?? null;
}

/** The refresh token with this digest; null when there is none. */
export async function readRefreshToken(
  db: Executor,
  digest: Uint8Array,
): Promise<StoredRefreshToken | null> {
  return (await db.query(selectToken, [digest]))[0] ?? null;
}

/** Stores when and from where the session was last used. */
export async function storeSessionUse(
  db: Executor,
  familyId: string,
  at: Instant,
  from: { readonly ip: string; readonly userAgent: string },
): Promise<void> {
  await db.query(touch, [familyId, formatTimestamp(at), from.ip, from.userAgent]);
}

/** Stores when the person last confirmed their identity. */
export async function storeConfirmation(
  db: Executor,
  familyId: string,
  at: Instant,
): Promise<void> {
  await db.query(confirm, [familyId, formatTimestamp(at)]);
}

/**
 * Ends the member's session with this number, or all sessions (null) except the family `except`, with the push subscriptions of their
 * browsers; returns the numbers of the ended ones.
 */
export async function endPersonSessions(
  db: Executor,
  which: {
    readonly accountId: string;
    readonly memberId: string;
    readonly number: string | null;
    readonly except: string | null;
  },
  at: Instant,
): Promise<readonly string[]> {
  const rows = await db.query(end, [
    which.accountId,
    which.memberId,
    which.number,
    formatTimestamp(at),
    which.except,
  ]);
  return rows.map((row) => row.number);
}

/** Whether the session was not ended. Its expiry is not considered. */
export async function isSessionOpen(db: Executor, familyId: string): Promise<boolean> {
  return (await db.query(isOpen, [familyId])).length === 1;
}

/** The member's active sessions, the most recently used one first. */
export function readOpenSessions(
  db: Executor,
  accountId: string,
  memberId: string,
  now: Instant,
): Promise<readonly OpenSession[]> {
  return db.query(selectOpen, [accountId, memberId, formatTimestamp(now)]);
}
