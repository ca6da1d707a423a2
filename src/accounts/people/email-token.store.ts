import { type Executor, statement } from "../../platform/db/database.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { Person } from "./person.ts";

export type EmailTokenPurpose = "email_verification" | "invitation" | "password_reset";

/** What a token that was sent by email is good for. */
export type EmailToken = {
  readonly purpose: EmailTokenPurpose;
  readonly accountId: string;
  /** Null: the invited person becomes a member by accepting. */
  readonly memberId: string | null;
  readonly invitationId: string | null;
  /** The address that it was sent to. */
  readonly email: string;
};

const insert = statement(
  "email-token.insert",
  `insert into email_token (digest, purpose, account_id, member_id, invitation_id, email, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

/** Stores a token under its digest. */
export async function storeEmailToken(
  tx: Executor,
  digest: Uint8Array,
  token: EmailToken,
  now: Instant,
  expiresAt: Instant,
): Promise<void> {
  await tx.query(insert, [
    digest,
    token.purpose,
    token.accountId,
    token.memberId,
    token.invitationId,
    token.email,
    formatTimestamp(now),
    formatTimestamp(expiresAt),
  ]);
}

const columns = `purpose, account_id as "accountId", member_id as "memberId", invitation_id as "invitationId", email`;

const take = statement<EmailToken>(
  "email-token.take",
  `delete from email_token where digest = $1 and purpose = $2 and expires_at > $3 returning ${columns}`,
);

/** Uses a token up; null if it is unknown, used, expired, or of another purpose. */
export async function takeEmailToken(
  tx: Executor,
  digest: Uint8Array,
  purpose: Exclude<EmailTokenPurpose, "invitation">,
  now: Instant,
): Promise<EmailToken | null> {
  const [row] = await tx.query(take, [digest, purpose, formatTimestamp(now)]);
  return row ?? null;
}

const useUp = statement<EmailToken>(
  "email-token.use-invitation",
  `update email_token set used_at = $2
   where digest = $1 and purpose = 'invitation' and expires_at > $2 and used_at is null returning ${columns}`,
);

/** Uses the token of an invitation up, and keeps it, so that its page can say so; null as of `takeEmailToken`. */
export async function takeInvitationToken(
  tx: Executor,
  digest: Uint8Array,
  now: Instant,
): Promise<EmailToken | null> {
  const [row] = await tx.query(useUp, [digest, formatTimestamp(now)]);
  return row ?? null;
}

const findInvitation = statement<EmailToken>(
  "email-token.find-invitation",
  `select ${columns} from email_token where digest = $1 and purpose = 'invitation'`,
);

/** The token of an invitation, whether or not it can still be used; null if it is unknown, replaced, or deleted after a month. */
export async function findInvitationToken(
  db: Executor,
  digest: Uint8Array,
): Promise<EmailToken | null> {
  const [row] = await db.query(findInvitation, [digest]);
  return row ?? null;
}

const peek = statement<EmailToken>(
  "email-token.peek",
  `select ${columns} from email_token where digest = $1 and purpose = $2 and expires_at > $3 and used_at is null`,
);

/** A token that can be used now, without using it up. */
export async function peekEmailToken(
  db: Executor,
  digest: Uint8Array,
  purpose: EmailTokenPurpose,
  now: Instant,
): Promise<EmailToken | null> {
  const [row] = await db.query(peek, [digest, purpose, formatTimestamp(now)]);
  return row ?? null;
}

const removeOfMember = statement(
  "email-token.remove-of-member",
  "delete from email_token where account_id = $1 and member_id = $2 and purpose = $3",
);

/** Makes a member's earlier tokens of a purpose worthless. */
export async function removeEmailTokens(
  tx: Executor,
  { accountId, memberId }: Person,
  purpose: EmailTokenPurpose,
): Promise<void> {
  await tx.query(removeOfMember, [accountId, memberId, purpose]);
}

/** Makes the links worthless that were sent to a member's address, or to one that waits for its verification. */
export async function removeEmailLinks(tx: Executor, person: Person): Promise<void> {
  await removeEmailTokens(tx, person, "email_verification");
  await removeEmailTokens(tx, person, "password_reset");
}

const pending = statement<{ readonly email: string }>(
  "email-token.pending",
  `select email from email_token
   where account_id = $1 and member_id = $2 and purpose = 'email_verification' and expires_at > $3
   order by created_at desc limit 1`,
);

/** The address whose verification a member has not finished; null if there is none. */
export async function readPendingAddress(
  db: Executor,
  { accountId, memberId }: Person,
  now: Instant,
): Promise<string | null> {
  const [row] = await db.query(pending, [accountId, memberId, formatTimestamp(now)]);
  return row?.email ?? null;
}

const deleteOver = statement(
  "email-token.delete-expired",
  "delete from email_token where expires_at <= case purpose when 'invitation' then $2::timestamptz else $1::timestamptz end",
);

/** How long the page of an invitation says that its link has expired or was used. */
const invitationKeptSeconds = 30 * 86_400;

/** Deletes the tokens that expired before `before`; those of invitations are kept for a month longer. */
export async function deleteExpiredEmailTokens(db: Executor, before: Instant): Promise<void> {
  await db.query(deleteOver, [
    formatTimestamp(before),
    formatTimestamp(addSeconds(before, -invitationKeptSeconds)),
  ]);
}
