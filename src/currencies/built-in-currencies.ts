import { tetherOnOmni } from "./coins/omni.ts";
import { coins } from "./coins.ts";
import type { Currency } from "./currency.ts";
import { fiatCurrencies } from "./fiat.ts";

/** Every built-in currency, ordered by id. */
export const builtInCurrencies: readonly Currency[] = [
  ...fiatCurrencies,
  ...coins.flatMap(({ coin, tokens }) => [coin, ...tokens]),
  tetherOnOmni,
].sort((one, other) => Number(one.id) - Number(other.id));

/** Minimum payments on main networks where they exceed the currency's own, in smallest units by alpha code; see `Coin`. */
export const publicMinimums: Readonly<Record<string, bigint>> = Object.assign(
  {},
  ...coins.map((coin) => coin.publicMinimums),
) as Record<string, bigint>;
