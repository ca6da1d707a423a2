import { addSeconds, type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { staleAt } from "./freshness.ts";
import { hasNarrowSpread, isPlausible, type Quote } from "./quote.ts";

/** A source's price of one symbol. */
export type SourceQuote = {
  readonly source: string;
  readonly symbol: string;
  readonly quote: Quote;
  readonly fetchedAt: Instant;
};

/** The price of a symbol that the service uses. */
export type PublishedQuote = {
  readonly symbol: string;
  readonly quote: Quote;
  /** Number of sources that it is based on. */
  readonly sources: number;
  readonly createdAt: Instant;
  readonly expiredAt: Instant;
};

export type WithheldQuote = {
  readonly symbol: string;
  readonly reason: "implausible" | "sources disagree" | "jump of a single source";
};

/** Within this time, a price that rises or falls by more than half needs two sources. */
const jumpMemorySeconds = 3_600;

/**
 * Computes prices from the sources' quotes: per symbol, the median of the fresh ones, rounded in the operator's favor
 * (lower middle bid, upper middle ask). Sources of fixings count only if no market is fresh; `fixings` says how long theirs hold, in
 * seconds. A price is withheld, and the old one expires, if the sources contradict each other or a single source moves it by more
 * than half.
 */
export function decideRates(
  quotes: readonly SourceQuote[],
  fixings: ReadonlyMap<string, number>,
  previous: ReadonlyMap<string, PublishedQuote>,
  now: Instant,
): { readonly published: readonly PublishedQuote[]; readonly withheld: readonly WithheldQuote[] } {
  const published: PublishedQuote[] = [];
  const withheld: WithheldQuote[] = [];
  const fresh = quotes
    .map((quote) => heldUntilNow(quote, fixings.get(quote.source) ?? null, now))
    .filter(({ fetchedAt }) => now <= staleAt(fetchedAt));
  for (const [symbol, all] of Map.groupBy(fresh, (quote) => quote.symbol)) {
    const plausible = all.filter(({ quote }) => isPlausible(quote));
    const markets = plausible.filter(({ source }) => !fixings.has(source));
    const used = markets.length > 0 ? markets : plausible;
    const candidate = medianOf(symbol, used);
    if (candidate === null) withheld.push({ symbol, reason: "implausible" });
    else if (!hasNarrowSpread(candidate.quote))
      withheld.push({ symbol, reason: "sources disagree" });
    else if (candidate.sources < 2 && isJump(candidate, previous.get(symbol), now))
      withheld.push({ symbol, reason: "jump of a single source" });
    else published.push(candidate);
  }
  return { published, withheld };
}

/** A fixing is as good as fetched now, until its source is asked again. */
function heldUntilNow(quote: SourceQuote, seconds: number | null, now: Instant): SourceQuote {
  if (seconds === null) return quote;
  const heldUntil = addSeconds(quote.fetchedAt, seconds);
  return { ...quote, fetchedAt: heldUntil < now ? heldUntil : now };
}

function medianOf(symbol: string, used: readonly SourceQuote[]): PublishedQuote | null {
  const bids = used.map(({ quote }) => quote.bid).sort(ascending);
  const asks = used.map(({ quote }) => quote.ask).sort(ascending);
  const bid = bids[Math.floor((bids.length - 1) / 2)];
  const ask = asks[Math.floor(asks.length / 2)];
  if (bid === undefined || ask === undefined) return null;
  const createdAt = Math.max(...used.map(({ fetchedAt }) => fetchedAt)) as Instant;
  return {
    symbol,
    quote: { bid, ask },
    sources: used.length,
    createdAt,
    expiredAt: staleAt(createdAt),
  };
}

function isJump(
  candidate: PublishedQuote,
  previous: PublishedQuote | undefined,
  now: Instant,
): boolean {
  if (previous === undefined || secondsBetween(previous.createdAt, now) > jumpMemorySeconds)
    return false;
  const { bid, ask } = candidate.quote;
  return bid * 2n > previous.quote.ask * 3n || ask * 3n < previous.quote.bid * 2n;
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
