import type { CurrencyState } from "../../currencies/decide-availability.ts";

/** What an operator does to a currency; each pair is one switch. */
export const currencySwitches = {
  disable: { isDisabled: true },
  enable: { isDisabled: false },
  unavailable: { isUnavailable: true },
  available: { isUnavailable: false },
  unpaid: { isUnpaid: true },
  paid: { isUnpaid: false },
} as const satisfies Record<string, Partial<CurrencyState>>;

export type CurrencySwitch = keyof typeof currencySwitches;
