import { type Executor, statement } from "../../platform/db/database.ts";
import type { CredentialOrigin, MemberOrigin } from "./access-origins.ts";

const selectMembers = statement<MemberOrigin>(
  "origins.members",
  `select m.id, m.role, m.deactivated_at is null as "isActive", m.created_at as "createdAt",
          m.created_by_member_id as "createdBy", m.confirmed_at is not null as "isConfirmed",
          p.given_by_member_id as "accessGivenBy", p.given_at as "accessGivenAt"
   from member m left join person_login p on p.account_id = m.account_id and p.member_id = m.id
   where m.account_id = $1`,
);

const selectCredentials = statement<CredentialOrigin>(
  "origins.credentials",
  `select id, member_id as "memberId", created_at as "createdAt", created_by_member_id as "createdBy"
   from credential where account_id = $1`,
);

/** Who created each member of an account and gave it access, and whether it was confirmed. */
export function readMemberOrigins(
  db: Executor,
  accountId: string,
): Promise<readonly MemberOrigin[]> {
  return db.query(selectMembers, [accountId]);
}

/** Who created each credential of an account, revoked ones included. */
export function readCredentialOrigins(
  db: Executor,
  accountId: string,
): Promise<readonly CredentialOrigin[]> {
  return db.query(selectCredentials, [accountId]);
}
