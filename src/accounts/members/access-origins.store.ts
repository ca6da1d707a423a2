import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Role } from "../principal.ts";
import type { CredentialOrigin, MemberOrigin } from "./access-origins.ts";

type MemberRow = {
  id: string;
  role: Role;
  is_active: boolean;
  created_at: Instant;
  created_by_member_id: string | null;
  is_confirmed: boolean;
  given_by_member_id: string | null;
  given_at: Instant | null;
};

const selectMembers = statement<MemberRow>(
  "origins.members",
  `select m.id, m.role, m.deactivated_at is null as is_active, m.created_at, m.created_by_member_id,
          m.confirmed_at is not null as is_confirmed, p.given_by_member_id, p.given_at
   from member m left join person_login p on p.account_id = m.account_id and p.member_id = m.id
   where m.account_id = $1`,
);

type CredentialRow = {
  id: string;
  member_id: string;
  created_at: Instant;
  created_by_member_id: string | null;
};

const selectCredentials = statement<CredentialRow>(
  "origins.credentials",
  `select id, member_id, created_at, created_by_member_id from credential where account_id = $1`,
);

/** Who created each member of an account and gave it access, and whether it was confirmed. */
export async function readMemberOrigins(
  db: Executor,
  accountId: string,
): Promise<readonly MemberOrigin[]> {
  return (await db.query(selectMembers, [accountId])).map(toMember);
}

/** Who created each credential of an account, revoked ones included. */
export async function readCredentialOrigins(
  db: Executor,
  accountId: string,
): Promise<readonly CredentialOrigin[]> {
  return (await db.query(selectCredentials, [accountId])).map(toCredential);
}

function toMember(row: MemberRow): MemberOrigin {
  return {
    id: row.id,
    role: row.role,
    isActive: row.is_active,
    createdAt: row.created_at,
    createdBy: row.created_by_member_id,
    isConfirmed: row.is_confirmed,
    accessGivenBy: row.given_by_member_id,
    accessGivenAt: row.given_at,
  };
}

function toCredential(row: CredentialRow): CredentialOrigin {
  return {
    id: row.id,
    memberId: row.member_id,
    createdAt: row.created_at,
    createdBy: row.created_by_member_id,
  };
}
