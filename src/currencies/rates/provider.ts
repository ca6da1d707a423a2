import type { Quote } from "./quote.ts";

/** A source of prices. */
export type RateProvider = {
  readonly name: string;
  /**
   * Of fixings, which are used only if no market has a fresh price for a symbol: how long they hold until the source is asked again.
   * Null for a market, which is asked in every round.
   */
  readonly fixingSeconds: number | null;
  /**
   * The source's current prices by market symbol (`BTC`, `USDT`, `EUR`). Skips prices it cannot parse. Throws
   * `Unavailable` if the source does not respond or responds in another form.
   */
  readonly fetch: (signal: AbortSignal) => Promise<ReadonlyMap<string, Quote>>;
};

export type RateProviderOptions = {
  /** Scheme, host and optional path prefix, without a trailing slash. */
  readonly baseUrl: string;
  /** Market symbols to fetch, without USD. */
  readonly symbols: readonly string[];
};
