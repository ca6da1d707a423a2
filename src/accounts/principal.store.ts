import { type Executor, statement } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { Principal, Role } from "./principal.ts";
import type { Session } from "./tokens/access-token.ts";

type Row = {
  position: string;
  member_id: string;
  role: Role;
  is_ready: boolean;
  allowed_networks: string[];
  sees_all_wallets: boolean;
  granted: string[];
  payable: string[];
  credential_id: string;
  session_id: string | null;
  confirmed_at: Instant | null;
  has_initial_password: boolean;
};

const select = statement<Row>(
  "principal.read",
  `select asked.position, m.id as member_id, a.is_ready,
          case when p.is_initial then 'read_only' else m.role end as role,
          m.sees_all_wallets and p.is_initial is not true as sees_all_wallets,
          coalesce(c.allowed_networks::text[], '{}') as allowed_networks, grants.granted, grants.payable,
          case when f.member_id is null then f.credential_id else coalesce(a.designated_credential_id,
            (select min(any_one.id) from credential any_one where any_one.account_id = a.id)) end as credential_id,
          case when f.member_id is not null then f.number end as session_id, f.confirmed_at,
          p.is_initial is true as has_initial_password
   from unnest($1::bigint[], $2::bigint[], $3::uuid[]) with ordinality
        as asked (account_id, credential_id, family_id, position)
   join token_family f on f.id = asked.family_id and f.account_id = asked.account_id
     and (f.member_id is not null) = (asked.credential_id is null)
     and (f.member_id is not null or f.credential_id = asked.credential_id)
   left join credential c on c.account_id = f.account_id and c.id = f.credential_id
   join member m on m.account_id = f.account_id and m.id = coalesce(f.member_id, c.member_id)
   join account a on a.id = f.account_id
   left join person_login p on f.member_id is not null and p.account_id = m.account_id and p.member_id = m.id
   cross join lateral (
     select coalesce(array_agg(g.wallet_id::text), '{}') as granted,
            coalesce(array_agg(g.wallet_id::text) filter (where g.may_pay), '{}') as payable
     from wallet_grant g
     where not m.sees_all_wallets and p.is_initial is not true and g.account_id = m.account_id and g.member_id = m.id) as grants
   where c.revoked_at is null and f.revoked_at is null and m.deactivated_at is null`,
);

export type PrincipalRecord = {
  readonly principal: Principal;
  /** Networks from which the credential may be used; empty: any address. */
  readonly allowedNetworks: readonly string[];
};

/**
 * The principal of each session, in order; null if the session was ended, its credential revoked or its member deactivated. A person
 * who has not changed an initial password has no rights.
 */
export async function readPrincipals(
  db: Executor,
  sessions: readonly Session[],
): Promise<readonly (PrincipalRecord | null)[]> {
  const rows = await db.query(select, [
    sessions.map((session) => session.accountId),
    sessions.map((session) => session.credentialId),
    sessions.map((session) => session.familyId),
  ]);
  const byPosition = new Map(rows.map((row) => [Number(row.position) - 1, row]));
  return sessions.map((session, position) => {
    const row = byPosition.get(position);
    return row === undefined ? null : toRecord(session, row);
  });
}

function toRecord(session: Session, row: Row): PrincipalRecord {
  const payable = new Set(row.payable);
  return {
    allowedNetworks: row.allowed_networks,
    principal: {
      accountId: session.accountId,
      memberId: row.member_id,
      credentialId: row.credential_id,
      role: row.role,
      accountIsReady: row.is_ready,
      wallets: row.sees_all_wallets
        ? "all"
        : new Map(row.granted.map((id) => [id, { mayPay: payable.has(id) }])),
      ...(row.session_id === null || row.confirmed_at === null
        ? {}
        : {
            person: {
              familyId: session.familyId,
              sessionId: row.session_id,
              confirmedAt: row.confirmed_at,
              hasInitialPassword: row.has_initial_password,
            },
          }),
    },
  };
}
