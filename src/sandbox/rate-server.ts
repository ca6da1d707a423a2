import type { RateSourceSettings } from "../currencies/rates/create-rate-providers.ts";
import { krakenInversePairs, krakenPairs } from "../currencies/rates/kraken.ts";
import { type Quote, usdExp } from "../currencies/rates/quote.ts";
import { assert } from "../platform/kernel/assert.ts";
import { formatDecimal, parseDecimal } from "../platform/kernel/decimal.ts";
import { divide } from "../platform/kernel/rounding.ts";
import { startLocalServer } from "./local-server.ts";

/** Dollars for one whole unit, in round numbers that are easy to check. */
const sandboxPrices: Readonly<Record<string, string>> = {
  BTC: "50000",
  ETH: "2500",
  LTC: "80",
  BCH: "400",
  DASH: "40",
  DOGE: "0.2",
  ZEC: "50",
  XMR: "200",
  XRP: "2",
  XLM: "0.25",
  ADA: "0.5",
  TRX: "0.25",
  TON: "4",
  ALGO: "0.2",
  AVAX: "25",
  BNB: "600",
  POL: "0.5",
  USDT: "1",
  USDC: "1",
  DAI: "1",
  EUR: "1.1",
  GBP: "1.3",
  CHF: "1.25",
  AUD: "0.65",
  BRL: "0.2",
  CAD: "0.8",
  CNY: "0.14",
  CZK: "0.045",
  DKK: "0.15",
  JPY: "0.00625",
  NOK: "0.1",
  PLN: "0.26",
  SEK: "0.1",
  TRY: "0.025",
  UAH: "0.024",
};

/** The spread of ask over bid, in millionths. */
const sandboxSpreadPpm = 400n;

export type RateServer = {
  /** The sources to configure; the server imitates two real ones. */
  readonly sources: readonly RateSourceSettings[];
  /** The bid in dollars for one whole unit, as decimal text; null removes the symbol. */
  readonly setPrice: (symbol: string, dollars: string | null) => void;
  /** False: every request gets a 503, as from a source that is down. */
  readonly setAnswering: (isAnswering: boolean) => void;
  readonly close: () => Promise<void>;
};

/** A local price source for the sandbox, read by the same code and over the same HTTP as the public ones. */
export async function startRateServer(
  initial: Readonly<Record<string, string>> = sandboxPrices,
  spreadPpm = sandboxSpreadPpm,
): Promise<RateServer> {
  const prices = new Map(
    Object.entries(initial).map(([symbol, bid]) => [symbol, quoteOf(bid, spreadPpm)]),
  );
  let isAnswering = true;
  const server = await startLocalServer(({ path }) => {
    if (!isAnswering) return { status: 503, body: "{}" };
    if (path === "/kraken/0/public/Ticker") return { status: 200, body: krakenTicker(prices) };
    if (path === "/bitstamp/api/v2/ticker/") return { status: 200, body: bitstampTicker(prices) };
    return { status: 404, body: "{}" };
  });
  return {
    sources: [
      { source: "kraken", baseUrl: `${server.url}/kraken` },
      { source: "bitstamp", baseUrl: `${server.url}/bitstamp` },
    ],
    setPrice: (symbol, dollars) => {
      if (dollars === null) prices.delete(symbol);
      else {
        prices.set(symbol, quoteOf(dollars, spreadPpm));
      }
    },
    setAnswering: (answering) => {
      isAnswering = answering;
    },
    close: server.close,
  };
}

function krakenTicker(prices: ReadonlyMap<string, Quote>): string {
  const tickers = [...prices].map(([symbol, price]) => {
    const inversePair = krakenInversePairs[symbol];
    const shown = inversePair === undefined ? price : inverseOf(price);
    const pair = inversePair ?? krakenPairs[symbol] ?? `${symbol}USD`;
    const { bid, ask } = { bid: textOf(shown.bid), ask: textOf(shown.ask) };
    return [pair, { a: [ask, "1", "1.000"], b: [bid, "1", "1.000"], c: [bid, "1.0"] }];
  });
  return JSON.stringify({ error: [], result: Object.fromEntries(tickers) as unknown });
}

function bitstampTicker(prices: ReadonlyMap<string, Quote>): string {
  return JSON.stringify(
    [...prices].map(([symbol, { bid, ask }]) => ({
      pair: `${symbol}/USD`,
      bid: textOf(bid),
      ask: textOf(ask),
      last: textOf(bid),
    })),
  );
}

/** The quote with this bid and the spread added. */
function quoteOf(bid: string, spreadPpm: bigint): Quote {
  const parsed = parseDecimal(bid, usdExp);
  assert(parsed.kind === "units" && parsed.units > 0n, `price ${bid}`);
  const { units } = parsed;
  return { bid: units, ask: divide(units * (1_000_000n + spreadPpm), 1_000_000n, "up") };
}

/** The quote of the dollar in the symbol: selling one buys the other. */
function inverseOf({ bid, ask }: Quote): Quote {
  const unit = 10n ** BigInt(2 * usdExp);
  return { bid: divide(unit, ask, "down"), ask: divide(unit, bid, "up") };
}

function textOf(units: bigint): string {
  return formatDecimal(units, usdExp);
}
