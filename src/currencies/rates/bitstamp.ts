import type { FetchText } from "../../platform/kernel/fetch-text.ts";
import { member, parseResponse, unexpectedResponse } from "./parse-response.ts";
import type { RateProvider, RateProviderOptions } from "./provider.ts";
import { parseQuote, type Quote } from "./quote.ts";

/** Bitstamp's ticker: best bid and ask of every pair. */
export function createBitstamp(fetchText: FetchText, options: RateProviderOptions): RateProvider {
  const name = "bitstamp";
  const symbolOf = new Map(options.symbols.map((symbol) => [`${symbol}/USD`, symbol]));
  return {
    name,
    fixingSeconds: null,
    fetch: async (signal) => {
      const url = `${options.baseUrl}/api/v2/ticker/`;
      const tickers = parseResponse(name, await fetchText({ url }, signal));
      if (!Array.isArray(tickers)) throw unexpectedResponse(name);
      const quotes = new Map<string, Quote>();
      for (const ticker of tickers as readonly unknown[]) {
        const pair = member(ticker, "pair");
        const symbol = typeof pair === "string" ? symbolOf.get(pair) : undefined;
        const quote = parseQuote(member(ticker, "bid"), member(ticker, "ask"));
        if (symbol !== undefined && quote !== null) quotes.set(symbol, quote);
      }
      return quotes;
    },
  };
}
