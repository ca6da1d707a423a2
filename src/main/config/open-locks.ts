import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Money } from "../../platform/kernel/money.ts";
import type { Config } from "./config.ts";
import { configAmount } from "./config-amount.ts";
import { amountFault, type Fault } from "./fault.ts";

/** The limit of `deposits.open_locks_max`; null when none is configured. */
export function openLocksMax(config: Config, currencies: CurrencyRegistry): Money | null {
  const max = config.deposits.open_locks_max;
  return max === undefined ? null : configAmount(currencies, max.currency, max.amount);
}

/** Validates `deposits.open_locks_max` beyond its schema. */
export function openLocksFaults(config: Config, currencies: CurrencyRegistry): readonly Fault[] {
  const max = config.deposits.open_locks_max;
  const message =
    max === undefined ? null : amountFault(currencies, max.currency, max.amount, false);
  return message === null ? [] : [{ path: ["deposits", "open_locks_max"], message }];
}
