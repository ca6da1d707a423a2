import type { Predicate } from "./list-query.ts";

/** The SQL columns with the account and wallet of a list's rows. */
export type ScopeColumns = {
  readonly account: string;
  readonly wallet: string;
  /** Type of `wallet`; default bigint. */
  readonly walletType?: "bigint" | "text";
};

/** The scope of a list without wallets: the rows of an account. */
export function ofAccount(column: string, accountId: string): Predicate {
  return (bind) => `${column} = ${bind(accountId)}`;
}

/** The scope of a list: an account's rows, limited to the given wallets unless `wallets` is null. */
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
