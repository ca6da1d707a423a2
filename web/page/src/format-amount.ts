/* Amounts stay decimal texts: converting to a float could show a different amount than the one to pay. */

const decimalText = /^(\d+)(?:\.(\d+))?$/;

type Digits = { readonly whole: string; readonly fraction: string };

function digitsOf(amount: string): Digits {
  const found = decimalText.exec(amount);
  if (found === null) throw new Error(`${amount} is not a decimal`);
  return { whole: found[1] ?? "0", fraction: found[2] ?? "" };
}

/** Formats an amount for a wallet's input field: decimal point, no grouping, no trailing zeros. */
export function plainAmount(amount: string): string {
  const { whole, fraction } = digitsOf(amount);
  const digits = fraction.replace(/0+$/, "");
  return digits === "" ? whole : `${whole}.${digits}`;
}

/** Whether a decimal text is greater than zero. */
export function isPositive(amount: string): boolean {
  return /[1-9]/.test(amount);
}

/** Formats all digits of an amount for a locale, with at least `digitsMin` fraction digits. */
export function formatAmount(amount: string, locale: string, digitsMin = 0): string {
  const { whole, fraction } = digitsOf(amount);
  const digits = fraction.replace(/0+$/, "").padEnd(digitsMin, "0");
  const grouped = wholeFormat(locale).format(BigInt(whole));
  return digits === "" ? grouped : `${grouped}${decimalSign(locale)}${digits}`;
}

/** Formats a price, such as `12,50 €`. A code outside ISO 4217 follows the amount. */
export function formatPrice(
  amount: string,
  code: string,
  precision: number,
  locale: string,
): string {
  const number = formatAmount(amount, locale, Math.min(precision, 2));
  if (!/^[A-Z]{3}$/.test(code) || precision > 4) return `${number}\u00a0${code}`;
  const parts = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: code,
    numberingSystem: "latn",
    maximumFractionDigits: 0,
  }).formatToParts(1);
  return parts.map(({ type, value }) => (type === "integer" ? number : value)).join("");
}

/**
 * Truncates a displayed value such as a rate to `digitsMax` fraction digits, or to six significant ones below 1.
 * `isExact` is false if digits were dropped.
 */
export function shortenAmount(
  text: string,
  digitsMax: number,
): { readonly amount: string; readonly isExact: boolean } {
  const { whole, fraction } = digitsOf(text);
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  const digits = isPositive(whole) ? digitsMax : Math.max(digitsMax, zeros + 6);
  const cut = fraction.slice(0, digits);
  return {
    amount: cut === "" ? whole : `${whole}.${cut}`,
    isExact: !isPositive(fraction.slice(digits)),
  };
}

function wholeFormat(locale: string): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 0, numberingSystem: "latn" });
}

function decimalSign(locale: string): string {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(1.5);
  return parts.find(({ type }) => type === "decimal")?.value ?? ".";
}
