import type { FetchText } from "../../platform/kernel/fetch-text.ts";
import { member, parseResponse, unexpectedResponse } from "./parse-response.ts";
import type { RateProvider, RateProviderOptions } from "./provider.ts";
import { parseQuote, type Quote } from "./quote.ts";

/** CoinGecko's id for each symbol; its symbols alone are ambiguous. */
const ids: Readonly<Record<string, string>> = {
  ADA: "cardano",
  ALGO: "algorand",
  AVAX: "avalanche-2",
  BCH: "bitcoin-cash",
  BNB: "binancecoin",
  BTC: "bitcoin",
  DAI: "dai",
  DASH: "dash",
  DOGE: "dogecoin",
  ETH: "ethereum",
  LTC: "litecoin",
  POL: "polygon-ecosystem-token",
  TON: "the-open-network",
  TRX: "tron",
  USDC: "usd-coin",
  USDT: "tether",
  XLM: "stellar",
  XMR: "monero",
  XRP: "ripple",
  ZEC: "zcash",
};

/** CoinGecko's average prices, one mid price per symbol. Its JSON numbers are read from their literal text. */
export function createCoingecko(fetchText: FetchText, options: RateProviderOptions): RateProvider {
  const name = "coingecko";
  const known = options.symbols.filter((symbol) => Object.hasOwn(ids, symbol));
  const idList = known.map((symbol) => ids[symbol]).join(",");
  return {
    name,
    fixingSeconds: null,
    fetch: async (signal) => {
      const url = `${options.baseUrl}/api/v3/simple/price?ids=${idList}&vs_currencies=usd&precision=full`;
      const answer = parseResponse(name, await fetchText({ url }, signal));
      if (typeof answer !== "object" || answer === null) throw unexpectedResponse(name);
      const quotes = new Map<string, Quote>();
      for (const symbol of known) {
        const text = member(member(answer, ids[symbol] ?? ""), "usd");
        const quote = parseQuote(text, text);
        if (quote !== null) quotes.set(symbol, quote);
      }
      return quotes;
    },
  };
}
