/** Exact arithmetic on the API's decimal strings, by bigint. */

type Parsed = { readonly units: bigint; readonly digits: number };

function parse(text: string): Parsed | null {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (found === null) return null;
  const [, sign = "", whole = "", fraction = ""] = found;
  return { units: BigInt(`${sign}${whole}${fraction}`), digits: fraction.length };
}

function render(units: bigint, digits: number): string {
  const sign = units < 0n ? "-" : "";
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, "0");
  if (digits === 0) return sign + text;
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Whether the text is a decimal greater than zero. */
export function isPositive(text: string): boolean {
  return (parse(text)?.units ?? 0n) > 0n;
}

/** The product, truncated to `digits` fraction digits; null if either text is not a decimal. */
export function multiplyDecimals(a: string, b: string, digits: number): string | null {
  const [left, right] = [parse(a), parse(b)];
  if (left === null || right === null) return null;
  const product = left.units * right.units;
  const excess = left.digits + right.digits - digits;
  const units = excess >= 0 ? product / 10n ** BigInt(excess) : product * 10n ** BigInt(-excess);
  return render(units, digits);
}

/** The decimal with at most `digits` fraction digits, rounded towards zero; text that is not a decimal is returned unchanged. */
export function truncateDecimal(text: string, digits: number): string {
  const found = parse(text);
  if (found === null || found.digits <= digits) return text;
  return render(found.units / 10n ** BigInt(found.digits - digits), digits);
}

/** The sum, with as many fraction digits as the more precise operand; null if either text is not a decimal. */
export function addDecimals(a: string, b: string): string | null {
  const [left, right] = [parse(a), parse(b)];
  if (left === null || right === null) return null;
  const digits = Math.max(left.digits, right.digits);
  const scaled = ({ units, digits: own }: Parsed): bigint => units * 10n ** BigInt(digits - own);
  return render(scaled(left) + scaled(right), digits);
}

/** The difference; null if either text is not a decimal. */
export function subtractDecimals(a: string, b: string): string | null {
  return addDecimals(a, b.startsWith("-") ? b.slice(1) : `-${b}`);
}
