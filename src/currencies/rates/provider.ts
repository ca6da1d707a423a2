import type { Quote } from "./quote.ts";

/** A public source of prices. */
export type RateProvider = {
  readonly name: string;
  /** True for daily fixings: used for a symbol only where no market has a fresh price. */
  readonly isReference: boolean;
  /**
   * What the source says now of the symbols that it knows, keyed by market symbol (`BTC`, `USDT`, `EUR`). A price that cannot be
   * read is left out. Throws `Unavailable` when the source does not answer, or answers in another form.
   */
  readonly fetch: (signal: AbortSignal) => Promise<ReadonlyMap<string, Quote>>;
};

export type RateProviderOptions = {
  /** Scheme, host and optional path prefix, without a slash at the end. */
  readonly baseUrl: string;
  /** Market symbols wanted; the dollar is not among them. */
  readonly symbols: readonly string[];
};
