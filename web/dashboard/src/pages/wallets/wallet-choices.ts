import type { Currency, Wallet } from "../../../../../client/src/api-types.gen.ts";
import { type ById, codeOf, walletCurrency } from "../../api/lookups.ts";
import type { FilterField } from "../../components/filter-bar.tsx";
import { walletTypeName } from "./wallet-types.ts";

type Choice = { readonly value: string; readonly label: string };

/** Wallets by label: `Shop`. */
export function walletChoices(wallets: Iterable<Wallet>): Choice[] {
  return distinct(
    Array.from(wallets, ({ id, attributes }) => ({ value: id, label: attributes.label })),
  );
}

/** A list's filter by wallet. */
export function walletFilter(
  wallets: ById<Wallet>,
  label = "Wallet",
  name = "wallet",
): FilterField {
  return { kind: "choice", name, label, choices: walletChoices(wallets.values()) };
}

/** Wallets by label and currency: `Shop (USDT)`. */
export function walletCurrencyChoices(
  wallets: Iterable<Wallet>,
  currencies: ById<Currency>,
): Choice[] {
  return distinct(
    Array.from(wallets, (wallet) => ({
      value: wallet.id,
      label: `${wallet.attributes.label} (${codeOf(currencies, walletCurrency(wallet)) ?? ""})`,
    })),
  );
}

/** Wallets by label, type and currency: `Shop (Merchant, USD)`. */
export function walletTypeChoices(wallets: Iterable<Wallet>, currencies: ById<Currency>): Choice[] {
  return distinct(
    Array.from(wallets, (wallet) => {
      const { label, type } = wallet.attributes;
      const code = codeOf(currencies, walletCurrency(wallet)) ?? "";
      return { value: wallet.id, label: `${label} (${walletTypeName(type)}, ${code})` };
    }),
  );
}

/** The choices; equal labels are followed by the ID: `Shop, ID 7`. */
function distinct(choices: readonly Choice[]): Choice[] {
  const byLabel = Map.groupBy(choices, ({ label }) => label);
  return choices.map(({ value, label }) =>
    byLabel.get(label)?.length === 1 ? { value, label } : { value, label: `${label}, ID ${value}` },
  );
}
