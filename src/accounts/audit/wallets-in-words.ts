import type { WalletRights } from "../principal.ts";

/** What wallets somebody may see, as the log says it: `"all"`, or their ids with what may be done with each. */
export function walletsInWords(wallets: WalletRights): string | readonly string[] {
  return wallets === "all"
    ? "all"
    : [...wallets].map(([id, { mayPay }]) => (mayPay ? `${id} with payouts` : id));
}
