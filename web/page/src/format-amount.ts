/* Amounts are decimal texts and stay so: a float would show another amount than the one that has to be paid. */

const decimalText = /^(\d+)(?:\.(\d+))?$/;

type Digits = { readonly whole: string; readonly fraction: string };

function digitsOf(amount: string): Digits {
  const found = decimalText.exec(amount);
  if (found === null) throw new Error(`${amount} is no decimal`);
  return { whole: found[1] ?? "0", fraction: found[2] ?? "" };
}

/** As a wallet's amount field takes it: a dot, no grouping, no zeros that say nothing. */
export function plainAmount(amount: string): string {
  const { whole, fraction } = digitsOf(amount);
  const kept = fraction.replace(/0+$/, "");
  return kept === "" ? whole : `${whole}.${kept}`;
}

/** Whether a decimal text is more than nothing. */
export function isPositive(amount: string): boolean {
  return /[1-9]/.test(amount);
}

/** All digits of the amount in the reader's notation; `digitsMin` are shown even when they are zero. */
export function formatAmount(amount: string, locale: string, digitsMin = 0): string {
  const { whole, fraction } = digitsOf(amount);
  const kept = fraction.replace(/0+$/, "").padEnd(digitsMin, "0");
  const grouped = wholeFormat(locale).format(BigInt(whole));
  return kept === "" ? grouped : `${grouped}${decimalSign(locale)}${kept}`;
}

/** `12,50 €`; a code that is no ISO 4217 currency, as a coin's, stands behind the amount. */
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
 * What is read and not paid, such as a rate: cut to `digitsMax` digits, or to six that say something where these would be
 * zeros. `isExact` is false when digits were left away.
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
