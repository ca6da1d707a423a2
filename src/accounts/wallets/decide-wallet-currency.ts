import type { Currency } from "../../currencies/currency.ts";
import { type WalletType, walletType } from "./wallet.ts";

/**
 * Why a wallet of this type cannot be denominated in a currency; null when it can. A Merchant wallet is denominated in fiat, a stablecoin
 * or a coin; the others hold the currency itself, and fiat cannot be sent on a chain.
 */
export function decideWalletCurrency(type: WalletType, currency: Currency): string | null {
  switch (type) {
    case walletType.merchant:
      return currency.kind === "token" && !currency.isStablecoin
        ? "A Merchant wallet needs a fiat currency, a stablecoin or a coin."
        : null;
    case walletType.enterprise:
    case walletType.custody:
    case walletType.swap:
      return currency.kind === "fiat" ? "This type of wallet needs a coin or a token." : null;
    case walletType.nft:
      return null;
  }
}
