import type { WalletRights } from "../principal.ts";

/** Wallet rights in an audit entry's summary: `"all"`, or each wallet's id and whether it may be paid from. */
export function walletSummary(wallets: WalletRights): string | readonly string[] {
  return wallets === "all"
    ? "all"
    : [...wallets].map(([id, { mayPay }]) => (mayPay ? `${id} with payouts` : id));
}
