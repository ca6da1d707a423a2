import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { ProgramCredential } from "./program-credential.ts";

type Row = {
  id: string;
  member_id: string;
  member_name: string;
  label: string;
  login: string;
  allowed_networks: string[];
  is_designated: boolean;
  created_at: Instant;
  revoked_at: Instant | null;
  last_used_at: Instant | null;
};

/** Tokens are kept for a day or so; what was used before that shows no use. */
const columns = `c.id, c.member_id, m.name as member_name, c.label, c.login,
  c.allowed_networks::text[] as allowed_networks, c.id is not distinct from a.designated_credential_id as is_designated,
  c.created_at, c.revoked_at,
  (select max(f.created_at) from token_family f where f.account_id = c.account_id and f.credential_id = c.id) as last_used_at`;
const tables = `credential c
  join member m on m.account_id = c.account_id and m.id = c.member_id
  join account a on a.id = c.account_id`;

const selectAll = statement<Row>(
  "program-credential.list",
  `select ${columns} from ${tables} where c.account_id = $1 order by c.id`,
);

const selectOne = statement<Row>(
  "program-credential.one",
  `select ${columns} from ${tables} where c.account_id = $1 and c.id = $2`,
);

/** Bits set beyond a network's prefix are dropped, as at its creation. */
const update = statement(
  "program-credential.update",
  `update credential set label = coalesce($3, label),
     allowed_networks = case when $4::text[] is null then allowed_networks
       else array(select network(n::inet) from unnest($4::text[]) as n) end
   where account_id = $1 and id = $2`,
);

/** An account's credentials with when they were last used, oldest first. */
export async function readProgramCredentials(
  db: Executor,
  accountId: string,
): Promise<readonly ProgramCredential[]> {
  return (await db.query(selectAll, [accountId])).map((row) => toCredential(row));
}

/** The credential of that id; null when the account has none. */
export async function readProgramCredential(
  db: Executor,
  accountId: string,
  id: string,
): Promise<ProgramCredential | null> {
  const [row] = await db.query(selectOne, [accountId, id]);
  return row === undefined ? null : toCredential(row);
}

/** Null leaves as it is. */
export async function storeCredentialChange(
  db: Executor,
  accountId: string,
  id: string,
  change: { readonly label: string | null; readonly allowedNetworks: readonly string[] | null },
): Promise<void> {
  await db.query(update, [accountId, id, change.label, change.allowedNetworks]);
}

function toCredential(row: Row): ProgramCredential {
  return {
    id: row.id,
    memberId: row.member_id,
    memberName: row.member_name,
    label: row.label,
    login: row.login,
    allowedNetworks: row.allowed_networks,
    isDesignated: row.is_designated,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
