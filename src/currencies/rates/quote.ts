import { parseDecimal } from "../../platform/kernel/decimal.ts";
import { divide } from "../../platform/kernel/rounding.ts";

/** The price of one whole unit in US dollars, in units of 10^-18 dollar. */
export type Quote = { readonly bid: bigint; readonly ask: bigint };

export const usdExp = 18;
export const dollarQuote: Quote = { bid: 10n ** 18n, ask: 10n ** 18n };

/** Digits after the point up to which a price text is read; sources give at most about twenty. */
const textExp = 36;
const scale = 10n ** BigInt(textExp - usdExp);

/**
 * A quote from the decimal texts of a source, exactly but for digits beyond 10^-18 dollar (bid down, ask up). Null
 * where one of them is no positive number.
 */
export function parseQuote(bidText: unknown, askText: unknown): Quote | null {
  const bid = parsePrice(bidText);
  const ask = parsePrice(askText);
  if (bid === null || ask === null) return null;
  return { bid: divide(bid, scale, "down"), ask: divide(ask, scale, "up") };
}

/** A quote from texts that say what a dollar costs in the unit: its ask is the inverse of our bid. */
export function parseInverseQuote(bidText: unknown, askText: unknown): Quote | null {
  return quotient(dollarText, dollarText, bidText, askText);
}

/** A quote of a unit of which `unitText` cost what `dollarsText` dollars cost: a cross over a third currency. */
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
  const one = 10n ** BigInt(usdExp);
  return { bid: divide(low * one, ask, "down"), ask: divide(high * one, bid, "up") };
}

/** Units of 10^-36; null for anything but the text of a positive number below 10^15. */
function parsePrice(text: unknown): bigint | null {
  if (typeof text !== "string" || text.length > 60) return null;
  const parsed = parseDecimal(text, textExp);
  const limit = 10n ** BigInt(textExp + 15);
  return parsed.kind === "units" && parsed.units > 0n && parsed.units < limit ? parsed.units : null;
}

/** Lowest and highest price of anything that the service can be paid in, in units of 10^-18 dollar. */
const priceMin = 10n ** 6n;
const priceMax = 10n ** 27n;

/** Whether a price can be meant: in bounds, not crossed, and with a spread that a market at work has. */
export function isPlausible(quote: Quote): boolean {
  return (
    quote.bid >= priceMin &&
    quote.ask <= priceMax &&
    quote.ask >= quote.bid &&
    hasNarrowSpread(quote)
  );
}

/** Bid and ask within 10 % of each other. */
export function hasNarrowSpread(quote: Quote): boolean {
  return quote.ask * 10n <= quote.bid * 11n;
}
