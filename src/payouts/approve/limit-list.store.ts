import { type Executor, statement } from "../../platform/db/database.ts";
import type { LimitSpan } from "../controls/limit-span.ts";

/** A limit above which payouts wait for approval, as it stands for one account. */
export type LimitRow = {
  readonly id: string;
  /** Null: holds for every account that has none of its own. */
  readonly accountId: string | null;
  /** Null: holds for every wallet that has none of its own. */
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

/** What limits an account's payouts; of wallets those that are named, null: all. */
export function readLimits(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
): Promise<readonly LimitRow[]> {
  return db.query(read, [accountId, wallets]);
}
