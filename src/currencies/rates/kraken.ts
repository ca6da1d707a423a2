import type { FetchText } from "../../platform/kernel/fetch-text.ts";
import { member, parseResponse, unexpectedResponse } from "./parse-response.ts";
import type { RateProvider, RateProviderOptions } from "./provider.ts";
import { parseInverseQuote, parseQuote, type Quote } from "./quote.ts";

/** Pairs that Kraken names by its older asset codes; all others are `<symbol>USD`. */
export const krakenPairs: Readonly<Record<string, string>> = {
  BTC: "XXBTZUSD",
  ETH: "XETHZUSD",
  LTC: "XLTCZUSD",
  XRP: "XXRPZUSD",
  XLM: "XXLMZUSD",
  XMR: "XXMRZUSD",
  ZEC: "XZECZUSD",
  DOGE: "XDGUSD",
  USDT: "USDTZUSD",
  EUR: "ZEURZUSD",
  GBP: "ZGBPZUSD",
};

/** Pairs quoted the other way round. */
export const krakenInversePairs: Readonly<Record<string, string>> = {
  CAD: "ZUSDZCAD",
  CHF: "USDCHF",
  JPY: "ZUSDZJPY",
};

/**
 * Kraken's ticker: best bid and ask of every pair. Requests all pairs, since naming a delisted one makes the API
 * refuse the whole request.
 */
export function createKraken(fetchText: FetchText, options: RateProviderOptions): RateProvider {
  const name = "kraken";
  return {
    name,
    fixingSeconds: null,
    fetch: async (signal) => {
      const url = `${options.baseUrl}/0/public/Ticker`;
      const answer = parseResponse(name, await fetchText({ url }, signal));
      const result = member(answer, "result");
      if (typeof result !== "object" || result === null) throw unexpectedResponse(name);
      const quotes = new Map<string, Quote>();
      for (const symbol of options.symbols) {
        const quote = quoteOf(symbol, result);
        if (quote !== null) quotes.set(symbol, quote);
      }
      return quotes;
    },
  };
}

function quoteOf(symbol: string, result: object): Quote | null {
  const inverse = member(krakenInversePairs, symbol);
  const parse = typeof inverse === "string" ? parseInverseQuote : parseQuote;
  const pair = inverse ?? member(krakenPairs, symbol) ?? `${symbol}USD`;
  const ticker = typeof pair === "string" ? member(result, pair) : undefined;
  return parse(member(member(ticker, "b"), 0), member(member(ticker, "a"), 0));
}
