import type { Currency } from "../../currencies/currency.ts";
import { type WalletType, walletType } from "./wallet.ts";

/**
 * Why a wallet of this type cannot be denominated in the currency; null when it can. A Merchant wallet keeps accounts
 * in fiat, a stablecoin or a coin; the others hold what they are denominated in, and nobody can send fiat.
 */
export function decideWalletCurrency(type: WalletType, currency: Currency): string | null {
  switch (type) {
    case walletType.merchant:
      return currency.kind === "token" && !currency.isStablecoin
        ? "A Merchant wallet takes a fiat currency, a stablecoin or a coin."
        : null;
    case walletType.enterprise:
    case walletType.custody:
    case walletType.swap:
      return currency.kind === "fiat" ? "This type of wallet takes a coin or a token." : null;
    case walletType.nft:
      return null;
  }
}
