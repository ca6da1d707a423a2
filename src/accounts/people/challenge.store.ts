import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

export type ChallengePurpose =
  | "second_factor"
  | "passkey_sign_in"
  | "passkey_registration"
  | "confirmation";

type Row = {
  account_id: string | null;
  member_id: string | null;
  expected: string | null;
};

const insert = statement(
  "challenge.insert",
  `insert into challenge (digest, purpose, account_id, member_id, expected, expires_at)
   values ($1, $2, $3, $4, $5, $6)`,
);

const select = statement<Row>(
  "challenge.read",
  `select account_id, member_id, expected from challenge
   where digest = $1 and purpose = $2 and expires_at > $3`,
);

const take = statement<Row>(
  "challenge.take",
  `delete from challenge where digest = $1 and purpose = $2 and expires_at > $3
   returning account_id, member_id, expected`,
);

const deleteOver = statement(
  "challenge.delete-expired",
  "delete from challenge where expires_at <= $1",
);

export type Challenge = {
  readonly purpose: ChallengePurpose;
  /** Null: any member may answer it. */
  readonly accountId: string | null;
  readonly memberId: string | null;
  /** The value that the authenticator signs, base64url. */
  readonly expected: string | null;
};

/** Stores a challenge under the digest of its id. */
export async function storeChallenge(
  db: Executor,
  digest: Uint8Array,
  challenge: Challenge,
  expiresAt: Instant,
): Promise<void> {
  await db.query(insert, [
    digest,
    challenge.purpose,
    challenge.accountId,
    challenge.memberId,
    challenge.expected,
    formatTimestamp(expiresAt),
  ]);
}

/** The unexpired challenge with this id and purpose; null when there is none. It can still be answered. */
export async function readChallenge(
  db: Executor,
  digest: Uint8Array,
  purpose: ChallengePurpose,
  now: Instant,
): Promise<Challenge | null> {
  const [row] = await db.query(select, [digest, purpose, formatTimestamp(now)]);
  return row === undefined ? null : toChallenge(purpose, row);
}

/** Reads and deletes the challenge, so that only one of several parallel requests gets it. */
export async function takeChallenge(
  db: Executor,
  digest: Uint8Array,
  purpose: ChallengePurpose,
  now: Instant,
): Promise<Challenge | null> {
  const [row] = await db.query(take, [digest, purpose, formatTimestamp(now)]);
  return row === undefined ? null : toChallenge(purpose, row);
}

/** Deletes the challenges that expired before `before`. */
export async function deleteExpiredChallenges(db: Executor, before: Instant): Promise<void> {
  await db.query(deleteOver, [formatTimestamp(before)]);
}

function toChallenge(purpose: ChallengePurpose, row: Row): Challenge {
  return {
    purpose,
    accountId: row.account_id,
    memberId: row.member_id,
    expected: row.expected,
  };
}
