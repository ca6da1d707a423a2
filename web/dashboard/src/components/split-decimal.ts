import { locale as pageLocale } from "../language/language.ts";

/** A formatted decimal. It never becomes a `number`, which would round it. */
export type ReadableDecimal = { readonly whole: string; readonly fraction: string };

/** A decimal as readable text: `1,234.50`. */
export function amountText(text: string): string {
  const { whole, fraction } = splitDecimal(text);
  return whole + fraction;
}

/**
 * Groups the integer digits by the locale (default: that of the page) and drops trailing zeros of the fraction down to `fractionMin` digits. Returns text that
 * is not a decimal unchanged as `whole`.
 */
export function splitDecimal(
  text: string,
  {
    locale = pageLocale,
    fractionMin = 2,
  }: { readonly locale?: string; readonly fractionMin?: number } = {},
): ReadableDecimal {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (found === null) return { whole: text, fraction: "" };
  const [, sign = "", digits = "", decimals = ""] = found;
  const kept = decimals.replace(/0+$/, "");
  const fraction = decimals.slice(0, Math.max(kept.length, fractionMin));
  const format = new Intl.NumberFormat(locale, { useGrouping: true });
  const point = new Intl.NumberFormat(locale)
    .formatToParts(1.5)
    .find(({ type }) => type === "decimal");
  return {
    whole: sign + format.format(BigInt(digits)),
    fraction: fraction === "" ? "" : (point?.value ?? ".") + fraction,
  };
}
