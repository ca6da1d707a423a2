import type { Currency, Wallet } from "../../../../../client/src/api-types.gen.ts";
import { type ById, codeOf, walletCurrency } from "../../api/lookups.ts";
import { walletTypeName } from "./wallet-types.ts";

type Choice = { readonly value: string; readonly label: string };

/** Wallets by their labels alone, where which one is meant is all that matters. */
export function walletChoices(wallets: Iterable<Wallet>): Choice[] {
  return Array.from(wallets, ({ id, attributes }) => ({ value: id, label: attributes.label }));
}

/** Wallets with the currency that they keep: `Shop (USDT)`. */
export function walletCurrencyChoices(
  wallets: Iterable<Wallet>,
  currencies: ById<Currency>,
): Choice[] {
  return Array.from(wallets, (wallet) => ({
    value: wallet.id,
    label: `${wallet.attributes.label} (${codeOf(currencies, walletCurrency(wallet)) ?? ""})`,
  }));
}

/** Wallets with their kind too, where it decides what is asked next: `Shop (Merchant, USD)`. */
export function walletKindChoices(wallets: Iterable<Wallet>, currencies: ById<Currency>): Choice[] {
  return Array.from(wallets, (wallet) => {
    const { label, type } = wallet.attributes;
    const code = codeOf(currencies, walletCurrency(wallet)) ?? "";
    return { value: wallet.id, label: `${label} (${walletTypeName(type)}, ${code})` };
  });
}
