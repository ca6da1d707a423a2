/** A decimal text as people read it: grouped digits, and its fraction. Never a `number`, which would round it. */
export type ReadableDecimal = { readonly whole: string; readonly fraction: string };

/**
 * Groups the digits before the point as the locale does, and keeps those behind it as they are; zeros at the end go, down to
 * `fractionMin` digits. A text that is no decimal number comes back unchanged as `whole`.
 */
export function splitDecimal(
  text: string,
  { locale, fractionMin = 2 }: { readonly locale?: string; readonly fractionMin?: number } = {},
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
