import type { Currency, Wallet } from "../../../../../client/src/api-types.gen.ts";
import { type ById, codeOf, walletCurrency } from "../../api/lookups.ts";
import type { FilterField } from "../../components/filter-bar.tsx";
import { t } from "../../language/t.ts";
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
  label = t("Wallet"),
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
      label: withDetails(wallet.attributes.label, [codeOf(currencies, walletCurrency(wallet))]),
    })),
  );
}

/** Wallets by label, type and currency: `Shop (Merchant, USD)`. */
export function walletTypeChoices(wallets: Iterable<Wallet>, currencies: ById<Currency>): Choice[] {
  return distinct(
    Array.from(wallets, (wallet) => {
      const { label, type } = wallet.attributes;
      const code = codeOf(currencies, walletCurrency(wallet));
      return { value: wallet.id, label: withDetails(label, [walletTypeName(type), code]) };
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

/** "Shop (Merchant, USD)"; details that are not loaded yet are left out. */
function withDetails(label: string, details: readonly (string | null)[]): string {
  const known = details.filter((detail) => detail !== null);
  return known.length === 0 ? label : `${label} (${known.join(", ")})`;
}
