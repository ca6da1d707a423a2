const pattern = /^([+-]?)(\d+)(?:\.(\d*))?$|^([+-]?)\.(\d+)$/;
const exponentPattern = /^([+-]?\d*\.?\d*)[eE]([+-]?\d{1,3})$/;

export type ParsedDecimal =
  | { readonly kind: "units"; readonly units: bigint }
  | { readonly kind: "malformed" }
  | { readonly kind: "excessDigits"; readonly exp: number };

/**
 * Parses a decimal number into integer units of 10^-exp, exactly. Digits beyond `exp` are refused, never rounded, unless they
 * are zeros. An exponent (`1e-7`, as in JSON numbers) is expanded from its text.
 */
export function parseDecimal(text: string, exp: number): ParsedDecimal {
  const plain = expandExponent(text);
  const match = plain === null ? null : pattern.exec(plain);
  if (match === null) return { kind: "malformed" };
  const sign = match[1] ?? match[4] ?? "";
  const whole = match[2] ?? "0";
  const fraction = (match[3] ?? match[5] ?? "").replace(/0+$/, "");
  if (fraction.length > exp) return { kind: "excessDigits", exp };
  const units = BigInt(whole + fraction.padEnd(exp, "0"));
  return { kind: "units", units: sign === "-" ? -units : units };
}

/** Formats units of 10^-exp with all digits and no exponent: 100000n with exp 8 is `0.00100000`. */
export function formatDecimal(units: bigint, exp: number): string {
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(exp + 1, "0");
  return exp === 0 ? sign + digits : `${sign}${digits.slice(0, -exp)}.${digits.slice(-exp)}`;
}

/** Expands `1.5e-3` to `0.0015`; returns text without an exponent unchanged, and null for malformed text. */
function expandExponent(text: string): string | null {
  const match = exponentPattern.exec(text);
  if (match === null) return text;
  const [mantissa = "", exponentText = "0"] = match.slice(1);
  const exponent = Number(exponentText);
  const parsed = pattern.exec(mantissa);
  if (parsed === null) return null;
  const sign = parsed[1] ?? parsed[4] ?? "";
  const whole = parsed[2] ?? "";
  const fraction = parsed[3] ?? parsed[5] ?? "";
  const point = whole.length + exponent;
  const digits = whole + fraction;
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  const padded = digits.padEnd(point, "0");
  return `${sign}${padded.slice(0, point)}.${padded.slice(point)}`;
}

/** Like `formatDecimal`, without trailing zeros and without a trailing point. */
export function formatShortDecimal(units: bigint, exp: number): string {
  const text = formatDecimal(units, exp);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
