import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import type { CurrencyId, Money } from "../../platform/kernel/money.ts";

/** An amount from the configuration, by the currency's code. `payoutFaults` has already refused invalid ones. */
export function configAmount(currencies: CurrencyRegistry, alpha: string, amount: string): Money {
  const currency = present(currencies.byAlpha(alpha), `currency ${alpha} of the configuration`);
  const parsed = parseDecimal(amount, currency.exp);
  assert(parsed.kind === "units", `${amount} ${alpha} of the configuration`);
  return { units: parsed.units, currency: currency.id };
}

/** A table of amounts, in units by currency. */
export function configAmounts(
  currencies: CurrencyRegistry,
  amounts: Readonly<Record<string, string>>,
): ReadonlyMap<CurrencyId, bigint> {
  return new Map(
    Object.entries(amounts).map(([alpha, amount]) => {
      const { currency, units } = configAmount(currencies, alpha, amount);
      return [currency, units];
    }),
  );
}
