import type { CurrencyState } from "../../currencies/decide-availability.ts";

/** The operator's actions on a currency, in pairs that set and clear one flag. */
export const currencySwitches = {
  disable: { isDisabled: true },
  enable: { isDisabled: false },
  unavailable: { isUnavailable: true },
  available: { isUnavailable: false },
  unpaid: { isUnpaid: true },
  paid: { isUnpaid: false },
} as const satisfies Record<string, Partial<CurrencyState>>;

export type CurrencySwitch = keyof typeof currencySwitches;
