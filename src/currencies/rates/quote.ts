import { parseDecimal } from "../../platform/kernel/decimal.ts";
import { divide } from "../../platform/kernel/rounding.ts";

/** The price of one whole unit in US dollars, in units of 10^-18 dollars. */
export type Quote = { readonly bid: bigint; readonly ask: bigint };

export const usdExp = 18;
export const dollarQuote: Quote = { bid: 10n ** 18n, ask: 10n ** 18n };

/** Decimals to which price texts are parsed; sources send about twenty at most. */
const textExp = 36;
const scale = 10n ** BigInt(textExp - usdExp);

/**
 * Parses a quote from decimal texts, exact to 10^-18 dollars (bid rounded down, ask rounded up). Null if either is
 * not a positive number.
 */
export function parseQuote(bidText: unknown, askText: unknown): Quote | null {
  const bid = parsePrice(bidText);
  const ask = parsePrice(askText);
  if (bid === null || ask === null) return null;
  return { bid: divide(bid, scale, "down"), ask: divide(ask, scale, "up") };
}

/** Parses a quote from texts that give units per dollar: our bid is the inverse of their ask. */
export function parseInverseQuote(bidText: unknown, askText: unknown): Quote | null {
  return quotient(dollarText, dollarText, bidText, askText);
}

/** Parses a quote across a third currency, in which `unitText` units cost as much as `dollarsText` dollars. */
export function parseCrossQuote(dollarsText: unknown, unitText: unknown): Quote | null {
  return quotient(dollarsText, dollarsText, unitText, unitText);
}

const dollarText = "1";

function quotient(
  lowText: unknown,
  highText: unknown,
  bidText: unknown,
  askText: unknown,
): Quote | null {
  const [low, high, bid, ask] = [lowText, highText, bidText, askText].map(parsePrice);
  if (low == null || high == null || bid == null || ask == null) return null;
  const unit = 10n ** BigInt(usdExp);
  return { bid: divide(low * unit, ask, "down"), ask: divide(high * unit, bid, "up") };
}

/** In units of 10^-36; null unless the text is a positive number below 10^15. */
function parsePrice(text: unknown): bigint | null {
  if (typeof text !== "string" || text.length > 60) return null;
  const parsed = parseDecimal(text, textExp);
  const limit = 10n ** BigInt(textExp + 15);
  return parsed.kind === "units" && parsed.units > 0n && parsed.units < limit ? parsed.units : null;
}

/** The lowest and highest plausible price, in units of 10^-18 dollars. */
const priceMin = 10n ** 6n;
const priceMax = 10n ** 27n;

/** Whether a quote is within bounds, not crossed, and has the spread of a working market. */
export function isPlausible(quote: Quote): boolean {
  return (
    quote.bid >= priceMin &&
    quote.ask <= priceMax &&
    quote.ask >= quote.bid &&
    hasNarrowSpread(quote)
  );
}

/** Whether bid and ask are within 10 % of each other. */
export function hasNarrowSpread(quote: Quote): boolean {
  return quote.ask * 10n <= quote.bid * 11n;
}
