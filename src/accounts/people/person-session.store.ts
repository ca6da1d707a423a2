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

type FamilyRow = {
  id: string;
  number: string;
  account_id: string;
  member_id: string;
  refresh_salt: Uint8Array;
  expires_at: Instant;
  confirmed_at: Instant;
  second_factor: SecondFactor | null;
  is_ended: boolean;
};

/** Locks the session rather than the token, so that refreshes of one session run one after another. */
const lock = statement<FamilyRow>(
  "person-session.lock",
  `select f.id, f.number, f.account_id, f.member_id, f.refresh_salt, f.expires_at, f.confirmed_at, f.second_factor,
          f.revoked_at is not null or m.deactivated_at is not null as is_ended
   from token_family f
   join member m on m.account_id = f.account_id and m.id = f.member_id
   where f.id = (select family_id from refresh_token where digest = $1)
   for update of f`,
);

type TokenRow = { expires_at: Instant; used_at: Instant | null };

const selectToken = statement<TokenRow>(
  "person-session.token",
  "select expires_at, used_at from refresh_token where digest = $1",
);

const touch = statement(
  "person-session.touch",
  "update token_family set last_used_at = $2, ip = $3, user_agent = $4 where id = $1",
);

const confirm = statement(
  "person-session.confirm",
  "update token_family set confirmed_at = $2 where id = $1",
);

const end = statement<{ number: string }>(
  "person-session.end",
  `update token_family set revoked_at = $4
   where account_id = $1 and member_id = $2 and ($3::bigint is null or number = $3) and revoked_at is null
     and ($5::uuid is null or id <> $5)
   returning number`,
);

type SessionRow = {
  number: string;
  created_at: Instant;
  last_used_at: Instant;
  expires_at: Instant;
  ip: string;
  user_agent: string;
  second_factor: SecondFactor | null;
};

const selectOpen = statement<SessionRow>(
  "person-session.list",
  `select f.number, f.created_at, f.last_used_at, f.expires_at, f.ip, f.user_agent, f.second_factor
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

/** The session of a refresh token, locked until the transaction ends. */
export async function lockPersonSession(
  db: Executor,
  digest: Uint8Array,
): Promise<LockedPersonSession | null> {
  const [row] = await db.query(lock, [digest]);
  if (row === undefined) return null;
  return {
    familyId: row.id,
    number: row.number,
    accountId: row.account_id,
    memberId: row.member_id,
    refreshSalt: row.refresh_salt,
    expiresAt: row.expires_at,
    confirmedAt: row.confirmed_at,
    secondFactor: row.second_factor,
    isEnded: row.is_ended,
  };
}

export type StoredRefreshToken = { readonly expiresAt: Instant; readonly usedAt: Instant | null };

/** The refresh token with this digest; null when there is none. */
export async function readRefreshToken(
  db: Executor,
  digest: Uint8Array,
): Promise<StoredRefreshToken | null> {
  const [row] = await db.query(selectToken, [digest]);
  return row === undefined ? null : { expiresAt: row.expires_at, usedAt: row.used_at };
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

/** Ends the member's session with this number, or all sessions (null) except the family `except`; returns the numbers of the ended ones. */
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

/** The member's active sessions, the most recently used one first. */
export async function readOpenSessions(
  db: Executor,
  accountId: string,
  memberId: string,
  now: Instant,
): Promise<readonly OpenSession[]> {
  const rows = await db.query(selectOpen, [accountId, memberId, formatTimestamp(now)]);
  return rows.map((row) => ({
    id: row.number,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    ip: row.ip,
    userAgent: row.user_agent,
    secondFactor: row.second_factor,
  }));
}
