import type { Clock } from "../../platform/kernel/clock.ts";
import type { FetchText } from "../../platform/kernel/fetch-text.ts";
import type { CurrencyRegistry } from "../registry.ts";
import { createBitstamp } from "./bitstamp.ts";
import { createCoinbase } from "./coinbase.ts";
import { createCoingecko } from "./coingecko.ts";
import { createEcb } from "./ecb.ts";
import { createKraken } from "./kraken.ts";
import type { RateProvider } from "./provider.ts";

export const rateSources = {
  coinbase: { baseUrl: "https://api.coinbase.com", create: createCoinbase },
  kraken: { baseUrl: "https://api.kraken.com", create: createKraken },
  bitstamp: { baseUrl: "https://www.bitstamp.net", create: createBitstamp },
  coingecko: { baseUrl: "https://api.coingecko.com", create: createCoingecko },
  ecb: { baseUrl: "https://www.ecb.europa.eu", create: createEcb },
} as const;

export type RateSourceName = keyof typeof rateSources;

export const rateSourceNames = Object.keys(rateSources) as readonly RateSourceName[];

/** A rate source and its base URL, if it is not the public one (the sandbox's local server, a mirror). */
export type RateSourceSettings = { readonly source: RateSourceName; readonly baseUrl?: string };

/** The deployment's rate sources, each configured with the symbols of its currencies. */
export function createRateProviders(
  settings: readonly RateSourceSettings[],
  registry: CurrencyRegistry,
  fetchText: FetchText,
  clock: Clock,
): readonly RateProvider[] {
  const symbols = [
    ...new Set(
      registry.all.flatMap(({ pricedAs }) =>
        pricedAs === null || pricedAs === "USD" ? [] : [pricedAs],
      ),
    ),
  ];
  return settings.map(({ source, baseUrl }) => {
    const { baseUrl: publicUrl, create } = rateSources[source];
    return create(fetchText, { baseUrl: baseUrl ?? publicUrl, symbols }, clock);
  });
}
