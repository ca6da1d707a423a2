import { present } from "../platform/kernel/assert.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";

/**
 * Names of ledger accounts. Wallet accounts keep a running balance; the balance of all others is the sum of their
 * postings.
 *
 * | account | side | holds |
 * |---|---|---|
 * | `chain/C` | debit | what our addresses hold on the chain |
 * | `arriving/C` | both | contra account of transfers in blocks until a deposit has processed them |
 * | `mempool/C` | debit | what pending transactions would add to `chain/C` |
 * | `wallet/W/available`, `pending`, `held` | credit | what the service owes the merchant |
 * | `wallet/W/deficit` | debit | funds that a reorg took back after they were paid out |
 * | `unresolved/C` | both | funds on hold; differences between a payout and what the token contract moved |
 * | `blocked/C` | credit | funds held by screening |
 * | `unattributed/C` | credit | transfers to an account that deposits share, under no deposit's tag |
 * | `dust/C`, `misplaced/C` | credit | payments below the minimum, and what is withheld of others; payments in another asset than the deposit's |
 * | `commission/C` | credit | the operator's income |
 * | `conversion/C` | both | the operator's position from payments credited in another currency |
 * | `fees/C` | both | network fees charged to payers, less fees burned |
 * | `transit/C` | both | off-chain payments between our own wallets and deposits; zero once both sides are booked |
 * | `equity/C` | credit | the operator's own funds |
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
  | "unattributed"
  | "dust"
  | "misplaced"
  | "commission"
  | "conversion"
  | "fees"
  | "transit"
  | "equity";

/** Owner of postings that belong to no tenant: fees burned, the operator's own funds. */
export const operatorAccountId = "0";

/** An account of the deployment itself, in one currency. */
export function systemAccount(kind: SystemAccount, currency: CurrencyId): LedgerAccount {
  return `${kind}/${currency}`;
}

const walletPattern = /^wallet\/(\d+)\/(available|pending|held|deficit)$/;

/** The wallet and bucket of an account name; null for a system account. */
export function parseWalletAccount(
  account: LedgerAccount,
): { readonly walletId: string; readonly bucket: WalletBucket } | null {
  const match = walletPattern.exec(account);
  if (match === null) return null;
  const [, walletId, bucket] = match;
  return { walletId: present(walletId, "a wallet's id"), bucket: bucket as WalletBucket };
}
