import type { FetchText } from "../../platform/kernel/fetch-text.ts";
import { member, parseResponse, unexpectedResponse } from "./parse-response.ts";
import type { RateProvider, RateProviderOptions } from "./provider.ts";
import { parseInverseQuote, type Quote } from "./quote.ts";

/** Coinbase's exchange rates: one mid price per currency, quoted as units per dollar. */
export function createCoinbase(fetchText: FetchText, options: RateProviderOptions): RateProvider {
  const name = "coinbase";
  return {
    name,
    fixingSeconds: null,
    fetch: async (signal) => {
      const url = `${options.baseUrl}/v2/exchange-rates?currency=USD`;
      const data = member(parseResponse(name, await fetchText({ url }, signal)), "data");
      const rates = member(data, "rates");
      if (member(data, "currency") !== "USD" || typeof rates !== "object")
        throw unexpectedResponse(name);
      const quotes = new Map<string, Quote>();
      for (const symbol of options.symbols) {
        const text = member(rates, symbol);
        const quote = parseInverseQuote(text, text);
        if (quote !== null) quotes.set(symbol, quote);
      }
      return quotes;
    },
  };
}
