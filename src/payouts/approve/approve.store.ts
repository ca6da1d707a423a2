import { type Executor, statement } from "../../platform/db/database.ts";
import type { LimitSpan } from "../controls/limit-span.ts";

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

/** A limit above which an account's payouts need approval. */
export type LimitRow = {
  readonly id: string;
  /** Null for a limit that applies to every account without its own. */
  readonly accountId: string | null;
  /** Null for a limit that applies to every wallet without its own. */
  readonly walletId: string | null;
  readonly currency: string;
  readonly span: LimitSpan;
  readonly units: bigint;
};

const read = statement<LimitRow>(
  "payout-limits.read",
  `select id, account_id as "accountId", wallet_id as "walletId", currency, span, units from payout_limit
   where (account_id = $1 or account_id is null)
     and (wallet_id is null or exists (
       select from wallet w where w.id = payout_limit.wallet_id and w.account_id = $1
         and ($2::bigint[] is null or w.id = any($2::bigint[]))))
   order by id`,
);

/** The limits of an account's payouts. `wallets` null includes all its wallets. */
export function readLimits(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
): Promise<readonly LimitRow[]> {
  return db.query(read, [accountId, wallets]);
}
