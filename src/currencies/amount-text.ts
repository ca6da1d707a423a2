import { formatDecimal } from "../platform/kernel/decimal.ts";
import type { Currency } from "./currency.ts";

/** An amount as people read it in a sentence: `0.04 ETH`, `10.50 USD`. */
export function amountText(units: bigint, { alpha, exp }: Pick<Currency, "alpha" | "exp">): string {
  return `${shortAmount(formatDecimal(units, exp))} ${alpha}`;
}

/** A decimal as on the wire without the zeros of its currency's precision; cents stay: `0.04`, `10.50`. */
export function shortAmount(text: string): string {
  const [whole = "", fraction = ""] = text.split(".");
  if (fraction.length <= 2) return text;
  const digits = fraction.replace(/0+$/, "");
  return digits === "" ? whole : `${whole}.${digits}`;
}
