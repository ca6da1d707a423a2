import { locale } from "../../language/language.ts";

const names = new Intl.DisplayNames(locale, { type: "currency", fallback: "none" });

/** The name of a fiat currency in the language of the page; of a coin or token, which no language translates, its own. */
export function currencyName({
  alpha,
  name,
  blockchain_name: network,
}: {
  readonly alpha: string;
  readonly name: string;
  readonly blockchain_name: string | null;
}): string {
  return network === null && /^[A-Z]{3}$/.test(alpha) ? (names.of(alpha) ?? name) : name;
}
