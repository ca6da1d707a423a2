import { type Executor, statement } from "../../platform/db/database.ts";

/** A member by id and name, as the account's other members see it. */
export type Actor = { readonly id: string; readonly name: string };

const readNames = statement<Actor>(
  "payout.member-names",
  "select id, name from member where account_id = $1 and id = any($2::bigint[])",
);

/** Names of members, by id. */
export async function readMemberNames(
  db: Executor,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Actor>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query(readNames, [accountId, [...new Set(ids)]]);
  return new Map(rows.map((row) => [row.id, row]));
}
