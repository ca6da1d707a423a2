import type { CurrencyId } from "../platform/kernel/money.ts";

/**
 * Names of ledger accounts. Wallets keep a running balance; all others are the sums of their postings.
 *
 * | account | side | holds |
 * |---|---|---|
 * | `chain/C` | debit | what our addresses hold on the chain |
 * | `arriving/C` | both | the other side of what blocks brought or took back and no deposit has decided on yet |
 * | `mempool/C` | debit | what pending transactions would add to it |
 * | `wallet/W/available`, `pending`, `held` | credit | what the service owes the merchant |
 * | `wallet/W/deficit` | debit | what a re-org took back after it had been paid out |
 * | `unresolved/C` | both | money that waits for a decision; what a token did not move of a payout, or took beside it |
 * | `blocked/C` | credit | money held by screening |
 * | `dust/C`, `misplaced/C` | credit | payments below the minimum; other assets than the deposit's |
 * | `commission/C` | credit | the operator's income |
 * | `conversion/C` | both | the operator's position from payments in one currency credited in another |
 * | `fees/C` | both | what payers were charged for the network's fee, less what was burnt |
 * | `transit/C` | both | off-chain payments between our own wallets and deposits; zero once booked on both sides |
 * | `equity/C` | credit | the operator's own money |
 */
export type LedgerAccount = string;

export type WalletBucket = "available" | "pending" | "held" | "deficit";

/** One of a wallet's accounts, in the wallet's currency. */
export function walletAccount(walletId: string, bucket: WalletBucket): LedgerAccount {
  return `wallet/${walletId}/${bucket}`;
}

export type SystemAccount =
  | "chain"
  | "arriving"
  | "mempool"
  | "unresolved"
  | "blocked"
  | "dust"
  | "misplaced"
  | "commission"
  | "conversion"
  | "fees"
  | "transit"
  | "equity";

/** Whose postings belong to no tenant: fees burnt, the operator's own money. */
export const operatorAccountId = "0";

/** An account of the deployment itself, in one currency. */
export function systemAccount(kind: SystemAccount, currency: CurrencyId): LedgerAccount {
  return `${kind}/${currency}`;
}

const walletPattern = /^wallet\/(\d+)\/(available|pending|held|deficit)$/;

/** The wallet and bucket that an account name means; null for a system account. */
export function parseWalletAccount(
  account: LedgerAccount,
): { readonly walletId: string; readonly bucket: WalletBucket } | null {
  const match = walletPattern.exec(account);
  if (match === null) return null;
  const [, walletId = "", bucket] = match;
  return { walletId, bucket: bucket as WalletBucket };
}
