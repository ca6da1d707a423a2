import type { Currency } from "../../../../../client/src/api-types.gen.ts";
import type { ById, KnownCurrency } from "../../api/lookups.ts";

type Choice = { readonly value: string; readonly label: string };

/** Currencies that payments are made in: those of the books alone, such as dollars, are on no chain. */
export function onChains(currencies: ById<Currency>): readonly Currency[] {
  return [...currencies.values()].filter(({ attributes }) => attributes.blockchain_name !== null);
}

/** Currencies that payments can be made in now. */
export function payableNow(currencies: ById<KnownCurrency>): readonly Currency[] {
  return onChains(currencies).filter(({ id }) => currencies.get(id)?.isUsable === true);
}

/** Currencies by their codes. */
export function currencyChoices(currencies: Iterable<Currency>): Choice[] {
  return Array.from(currencies, ({ id, attributes }) => ({ value: id, label: attributes.alpha }));
}

/** Currencies with their chain, as several have one code: `USDT – Ethereum`. */
export function currencyChainChoices(currencies: Iterable<Currency>): Choice[] {
  return Array.from(currencies, ({ id, attributes: { alpha, blockchain_name: chain } }) => ({
    value: id,
    label: `${alpha} – ${chain ?? ""}`,
  }));
}
