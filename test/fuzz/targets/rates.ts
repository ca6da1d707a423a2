import { readFileSync } from "node:fs";
import { createBitstamp } from "../../../src/currencies/rates/bitstamp.ts";
import { createCoinbase } from "../../../src/currencies/rates/coinbase.ts";
import { createCoingecko } from "../../../src/currencies/rates/coingecko.ts";
import { createEcb } from "../../../src/currencies/rates/ecb.ts";
import { createKraken } from "../../../src/currencies/rates/kraken.ts";
import type { RateProvider, RateProviderOptions } from "../../../src/currencies/rates/provider.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { FetchText } from "../../../src/platform/kernel/fetch-text.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { parseTimestamp } from "../../../src/platform/kernel/timestamp.ts";
import { Unavailable } from "../../../src/platform/kernel/unavailable.ts";
import { rejectingLater, type Target, textOf } from "../engine/target.ts";

const options: RateProviderOptions = {
  baseUrl: "https://rates.example",
  symbols: ["BTC", "ETH", "EUR"],
};
/** On the day of the recorded fixings, so that they are not too old. */
const now = present(parseTimestamp("2024-03-25T09:00:00Z"), "a time");
const clock = { now: () => now, sleep: systemClock.sleep };
const { signal } = new AbortController();

type Create = (fetchText: FetchText) => RateProvider;
const sources: Readonly<Record<string, Create>> = {
  bitstamp: (fetchText) => createBitstamp(fetchText, options),
  coinbase: (fetchText) => createCoinbase(fetchText, options),
  coingecko: (fetchText) => createCoingecko(fetchText, options),
  kraken: (fetchText) => createKraken(fetchText, options),
  ecb: (fetchText) => createEcb(fetchText, options, clock),
};

/** Responses of the rate sources. A provider fetches, so the response is what its HTTP client would return. */
export const rateTargets: readonly Target[] = Object.entries(sources).map(([name, create]) => {
  const file = `../../recorded/${name}.${name === "ecb" ? "xml" : "json"}`;
  return {
    name: `rates-${name}`,
    form: name === "ecb" ? "text" : "json",
    seeds: () => [readFileSync(new URL(file, import.meta.url))],
    words: ["<Cube currency='EUR' rate='1.0'/>", "<Cube time='2024-03-22'>", "BTC", "1e-30"],
    run: (input) =>
      rejectingLater([Unavailable], () =>
        create(() => Promise.resolve(textOf(input))).fetch(signal),
      ),
  } satisfies Target;
});
