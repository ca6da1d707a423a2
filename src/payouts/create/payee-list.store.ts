import { ofAccount } from "../../platform/db/account-scope.ts";
import type { Executor } from "../../platform/db/database.ts";
import { fetchPage, type ListSql } from "../../platform/db/list-query.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type ListQuery, mapPage, type Page } from "../../platform/kernel/list-query.ts";
import { payeeFilters, payeeSort } from "./payee-filters.ts";

/** A whitelisted payout destination. */
export type WhitelistedPayee = {
  readonly id: string;
  readonly chain: string;
  readonly address: string;
  readonly tag: string | null;
  readonly label: string;
  /** Whether the account's payouts are restricted to the whitelist. */
  readonly isEnforced: boolean;
  readonly createdAt: Instant;
};

type Row = Omit<WhitelistedPayee, "isEnforced" | "createdAt"> & {
  readonly is_enforced: boolean;
  readonly created_at: Instant;
};

const list: ListSql = {
  name: "payee.list",
  select:
    "k.id, k.chain, k.address, k.tag, k.label, account.pays_book_only as is_enforced, k.created_at",
  from: "address_book k join account on account.id = k.account_id",
  filters: payeeFilters,
  sort: payeeSort,
};

/** A page of an account's whitelist. */
export async function listPayeeRows(
  db: Executor,
  accountId: string,
  query: ListQuery,
): Promise<Page<WhitelistedPayee>> {
  const scope = [ofAccount("k.account_id", accountId)];
  return mapPage(
    await fetchPage<Row>(db, list, scope, query),
    ({ id, chain, address, tag, label, is_enforced: isEnforced, created_at: createdAt }) => ({
      id,
      chain,
      address,
      tag,
      label,
      isEnforced,
      createdAt,
    }),
  );
}
