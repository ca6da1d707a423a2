import type { Currency } from "../../../../../client/src/api-types.gen.ts";
import type { ById, KnownCurrency } from "../../api/lookups.ts";
import type { FilterField } from "../../components/filter-bar.tsx";
import { t } from "../../language/t.ts";

type Choice = { readonly value: string; readonly label: string };

/** Currencies on a blockchain, that is, not fiat. */
export function onChainCurrencies(currencies: ById<Currency>): readonly Currency[] {
  return [...currencies.values()].filter(({ attributes }) => attributes.blockchain_name !== null);
}

/** Currencies on a blockchain that accept payments at the moment. */
export function usableCurrencies(currencies: ById<KnownCurrency>): readonly Currency[] {
  return onChainCurrencies(currencies).filter(({ id }) => currencies.get(id)?.isUsable === true);
}

/** Currencies by code. */
export function currencyChoices(currencies: Iterable<Currency>): Choice[] {
  return Array.from(currencies, ({ id, attributes }) => ({ value: id, label: attributes.alpha }));
}

/** A list's filter by currency. */
export function currencyFilter(currencies: Iterable<Currency>, label = t("Currency")): FilterField {
  return { kind: "choice", name: "currency", label, choices: currencyChoices(currencies) };
}

/** Currencies by code and network, because several share a code: `USDT – Ethereum`. */
export function currencyChainChoices(currencies: Iterable<Currency>): Choice[] {
  return Array.from(currencies, ({ id, attributes: { alpha, blockchain_name: chain } }) => ({
    value: id,
    label: `${alpha} – ${chain ?? ""}`,
  }));
}
