import type { Row } from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import {
  type Invitation,
  invitationColumns,
  invitationFromRow,
  storedGrants,
} from "./invitation.ts";

const list = statement<Row>(
  "invitation.list",
  `select ${invitationColumns} from invitation where account_id = $1 order by id`,
);

/** The account's invitations, oldest first. */
export async function readInvitations(
  db: Executor,
  accountId: string,
): Promise<readonly Invitation[]> {
  return (await db.query(list, [accountId])).map(invitationFromRow);
}

const readOne = statement<Row>(
  "invitation.read",
  `select ${invitationColumns} from invitation where account_id = $1 and id = $2`,
);

/** Null when the account has no invitation with this id. */
export async function readInvitation(
  db: Executor,
  accountId: string,
  id: string,
): Promise<Invitation | null> {
  const [row] = await db.query(readOne, [accountId, id]);
  return row === undefined ? null : invitationFromRow(row);
}

const lock = statement<Row>(
  "invitation.lock",
  `select ${invitationColumns} from invitation where account_id = $1 and id = $2 for update`,
);

/** The invitation with its row locked; null when the account has none with this id. */
export async function lockInvitation(
  tx: Executor,
  accountId: string,
  id: string,
): Promise<Invitation | null> {
  const [row] = await tx.query(lock, [accountId, id]);
  return row === undefined ? null : invitationFromRow(row);
}

const insert = statement<{ readonly id: string }>(
  "invitation.insert",
  `insert into invitation (account_id, email, name, role, wallet_grants, invited_by_member_id, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
);

/** Inserts an invitation and returns its id. */
export async function insertInvitation(
  tx: Executor,
  accountId: string,
  invitation: Omit<Invitation, "id" | "firstInvitedByMemberId" | "acceptedAt" | "memberId">,
): Promise<string> {
  const { email, name, role, wallets, invitedByMemberId, createdAt, expiresAt } = invitation;
  const grants = storedGrants(wallets);
  const [row] = await tx.query(insert, [
    accountId,
    email,
    name,
    role,
    grants === null ? null : JSON.stringify(grants),
    invitedByMemberId,
    formatTimestamp(createdAt),
    formatTimestamp(expiresAt),
  ]);
  return present(row, "a new invitation's id").id;
}

const extend = statement(
  "invitation.extend",
  `update invitation
   set expires_at = $3, invited_by_member_id = $4,
     first_invited_by_member_id = coalesce(first_invited_by_member_id, invited_by_member_id)
   where account_id = $1 and id = $2`,
);

/** Makes an invitation last longer, on behalf of the member who sends it again. */
export async function extendInvitation(
  tx: Executor,
  accountId: string,
  id: string,
  expiresAt: Instant,
  memberId: string,
): Promise<void> {
  await tx.query(extend, [accountId, id, formatTimestamp(expiresAt), memberId]);
}

const accept = statement(
  "invitation.accept",
  "update invitation set accepted_at = $3, member_id = $4 where account_id = $1 and id = $2",
);

/** Records who the invited person became. */
export async function storeAcceptance(
  tx: Executor,
  accountId: string,
  id: string,
  at: Instant,
  memberId: string,
): Promise<void> {
  await tx.query(accept, [accountId, id, formatTimestamp(at), memberId]);
}

const removeTokens = statement(
  "invitation.remove-tokens",
  "delete from email_token where account_id = $1 and invitation_id = $2",
);
const remove = statement(
  "invitation.remove",
  "delete from invitation where account_id = $1 and id = $2",
);

/** Makes the links of an invitation worthless. */
export async function removeInvitationTokens(
  tx: Executor,
  accountId: string,
  id: string,
): Promise<void> {
  await tx.query(removeTokens, [accountId, id]);
}

/** Deletes an invitation and its links. */
export async function removeInvitation(tx: Executor, accountId: string, id: string): Promise<void> {
  await tx.query(removeTokens, [accountId, id]);
  await tx.query(remove, [accountId, id]);
}

const readName = statement<{ readonly name: string }>(
  "invitation.shop-name",
  "select coalesce(payment_page_shop_name, name) as name from account where id = $1",
);

/** The shop's name as its payers see it, else the account's. */
export async function readShopName(db: Executor, accountId: string): Promise<string> {
  const [row] = await db.query(readName, [accountId]);
  return present(row, "an account's name").name;
}
