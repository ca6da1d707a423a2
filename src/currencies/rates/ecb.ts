import { type Clock, type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import type { FetchText } from "../../platform/kernel/fetch-text.ts";
import { parseTimestamp } from "../../platform/kernel/timestamp.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { unexpectedResponse } from "./parse-response.ts";
import type { RateProvider, RateProviderOptions } from "./provider.ts";
import { parseCrossQuote, type Quote } from "./quote.ts";

const name = "ecb";
const dayPattern = /<Cube\s+time=['"](\d{4}-\d{2}-\d{2})['"]\s*>/;
const ratePattern = /<Cube\s+currency=['"]([A-Z]{3})['"]\s+rate=['"]([0-9.]{1,20})['"]\s*\/>/g;
const day = 86_400;
/** The longest gap between fixings is five days, over Easter. */
const ageMaxSeconds = 7 * day;
/** The file changes once a day; hourly requests are enough. */
const fixingSeconds = 3_600;

/** The European Central Bank's daily euro reference rates. */
export function createEcb(
  fetchText: FetchText,
  options: RateProviderOptions,
  clock: Clock,
): RateProvider {
  return {
    name,
    fixingSeconds,
    fetch: async (signal) => {
      const url = `${options.baseUrl}/stats/eurofxref/eurofxref-daily.xml`;
      const perEuro = readFixings(await fetchText({ url }, signal), clock.now());
      const quotes = new Map<string, Quote>();
      for (const symbol of options.symbols) {
        const quote = parseCrossQuote(perEuro.get("USD"), perEuro.get(symbol));
        if (quote !== null) quotes.set(symbol, quote);
      }
      return quotes;
    },
  };
}

/** Units of each currency per euro, as decimal text. */
function readFixings(text: string, now: Instant): ReadonlyMap<string, string> {
  const published = parseTimestamp(dayPattern.exec(text)?.[1] ?? "");
  if (published === null) throw unexpectedResponse(name);
  const age = secondsBetween(published, now);
  if (age > ageMaxSeconds || age < -day)
    throw new Unavailable(name, `sent fixings that are ${Math.round(age / day)} days old`);
  const perEuro = new Map([["EUR", "1"]]);
  for (const [, currency = "", rate = ""] of text.matchAll(ratePattern))
    perEuro.set(currency, rate);
  if (!perEuro.has("USD")) throw unexpectedResponse(name);
  return perEuro;
}
