import type { Currency } from "../../currencies/currency.ts";
import type { MarginOf } from "../../currencies/rates/margin.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { present } from "../../platform/kernel/assert.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import type { Config } from "./config.ts";
import type { Fault } from "./fault.ts";

/** Percent in millionths: `"0.25"` is 2,500. */
const percentExp = 4;
/** A margin above half the price is a typing error. */
const marginMaxPpm = 500_000n;

/** The margins of `rates.margins`, by pair. */
export function rateMargins(config: Config, currencies: CurrencyRegistry): MarginOf {
  const margins = new Map<string, bigint>();
  for (const [name, percent] of Object.entries(config.rates.margins)) {
    const pair = present(pairOf(name, currencies), `margin of ${name}`);
    margins.set(keyOf(...pair), present(marginOf(percent), `margin of ${name}`));
  }
  return (left, right) => margins.get(keyOf(left, right)) ?? 0n;
}

/** Validates `rates.margins` beyond its schema: pairs and amounts are valid, and no pair appears twice. */
export function marginFaults(config: Config, currencies: CurrencyRegistry): readonly Fault[] {
  const seen = new Set<string>();
  return Object.entries(config.rates.margins).flatMap(([name, percent]): Fault[] => {
    const path = ["rates", "margins", name];
    const pair = pairOf(name, currencies);
    if (pair === null)
      return [{ path, message: `a pair of two different currencies is needed, such as "ETH/USD"` }];
    if (marginOf(percent) === null)
      return [{ path, message: "a percentage up to 50 with at most 4 digits after the point" }];
    const key = keyOf(...pair);
    if (seen.has(key)) return [{ path, message: "the margin of this pair is given twice" }];
    seen.add(key);
    return [];
  });
}

function pairOf(name: string, currencies: CurrencyRegistry): readonly [Currency, Currency] | null {
  const [left, right, ...others] = name.split("/").map((alpha) => currencies.byAlpha(alpha));
  if (left == null || right == null || others.length > 0 || left.id === right.id) return null;
  return [left, right];
}

function marginOf(percent: string): bigint | null {
  const parsed = parseDecimal(percent, percentExp);
  return parsed.kind === "units" && parsed.units <= marginMaxPpm ? parsed.units : null;
}

/** The same key for both directions of a pair. */
function keyOf(left: Currency, right: Currency): string {
  return [left.id, right.id].toSorted().join(" ");
}
