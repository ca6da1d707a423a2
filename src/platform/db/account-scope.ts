import type { Predicate } from "./list-query.ts";

/** Where a list's rows name their account and their wallet, as SQL. */
export type ScopeColumns = {
  readonly account: string;
  readonly wallet: string;
  /** What `wallet` is; a bigint unless told. */
  readonly walletType?: "bigint" | "text";
};

/** The rows of an account, in the column that names it: the scope of a list that belongs to no wallet. */
export function ofAccount(column: string, accountId: string): Predicate {
  return (bind) => `${column} = ${bind(accountId)}`;
}

/** The scope of a list: an account's rows and, unless `wallets` is null, of these those of its wallets that are named. */
export function accountScope(
  { account, wallet, walletType = "bigint" }: ScopeColumns,
  accountId: string,
  wallets: readonly string[] | null,
): readonly Predicate[] {
  if (wallets === null) return [ofAccount(account, accountId)];
  return [
    ofAccount(account, accountId),
    (bind) => `${wallet} = any(${bind(wallets)}::${walletType}[])`,
  ];
}
