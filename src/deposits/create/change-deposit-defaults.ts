import { administratorsOnly } from "../../accounts/administrators-only.ts";
import type { AuditSummary } from "../../accounts/audit/audit-entry.ts";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { formatDecimal, formatShortDecimal, parseDecimal } from "../../platform/kernel/decimal.ts";
import { Rejected, type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import {
  lockDepositDefaults,
  readDepositDefaults,
  saveDepositDefaults,
} from "./deposit-defaults.store.ts";
import type { DepositDefaults } from "./deposit-defaults.ts";

/** The settings as on the wire. Null: the built-in default. */
export type StoreSettings = {
  readonly underpayment_percent: string | null;
  readonly underpayment_amount: string | null;
  readonly overpayment_percent: string | null;
  readonly overpayment_amount: string | null;
  /** Id of the currency of both amounts. */
  readonly tolerance_currency: string | null;
  readonly time_limit: number | null;
  readonly callback_url: string | null;
};

/** Undefined: unchanged, null: cleared. */
export type StoreSettingsPatch = {
  readonly [Name in keyof StoreSettings]?: StoreSettings[Name] | undefined;
};

export type StoreSettingsContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly currencies: CurrencyRegistry;
  readonly callbackUrlFault: (url: string) => string | null;
};

/** Ten-thousandths of a percent are millionths. */
const percentExp = 4;
const percentMax = { underpayment_percent: 50, overpayment_percent: 100 } as const;

/** Rejects `permissionDenied` unless the caller is Owner or Admin. */
export const assertStoreAdministrator = administratorsOnly(
  "Only Owners and Admins can view and change these settings.",
);

/** The defaults of the account's deposits. Rejects with permissionDenied unless the caller is Owner or Admin. */
export async function getStoreSettings(
  { db, currencies }: Pick<StoreSettingsContext, "db" | "currencies">,
  principal: Principal,
): Promise<StoreSettings> {
  assertStoreAdministrator(principal);
  const stored = await readDepositDefaults(db, principal.accountId);
  return render(present(stored, "the caller's account"), currencies);
}

/**
 * Changes the given defaults and records the differences in the audit log. Deposits that exist keep theirs. Rejects with
 * permissionDenied and invalidValue.
 */
export async function changeStoreSettings(
  context: StoreSettingsContext,
  principal: Principal,
  patch: StoreSettingsPatch,
): Promise<StoreSettings> {
  assertStoreAdministrator(principal);
  const { db, clock, currencies } = context;
  return db.transaction(async (tx) => {
    const stored = await lockDepositDefaults(tx, principal.accountId);
    const before = render(present(stored, "the caller's account"), currencies);
    const defaults = read(patched(before, patch), context);
    await saveDepositDefaults(tx, principal.accountId, defaults);
    const after = render(defaults, currencies);
    const summary = differences(before, after);
    if (Object.keys(summary).length > 0) {
      await recordAudit(tx, {
        by: principal,
        action: "store_settings.changed",
        at: clock.now(),
        object: { type: "store-settings", id: principal.accountId },
        summary,
      });
    }
    return after;
  });
}

function patched(before: StoreSettings, patch: StoreSettingsPatch): StoreSettings {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  return Object.assign({ ...before }, Object.fromEntries(given));
}

function differences(before: StoreSettings, after: StoreSettings): AuditSummary {
  const text = (value: string | number | null) => (value === null ? null : String(value));
  const names = Object.keys(after) as (keyof StoreSettings)[];
  return Object.fromEntries(
    names.flatMap((name) =>
      before[name] === after[name]
        ? []
        : [
            [name, text(after[name])],
            [`${name}_before`, text(before[name])],
          ],
    ),
  );
}

function render(defaults: DepositDefaults, currencies: CurrencyRegistry): StoreSettings {
  const { underpayment, overpayment, toleranceCurrency, timeLimit, callbackUrl } = defaults;
  const percent = (ppm: number | null) =>
    ppm === null ? null : formatShortDecimal(BigInt(ppm), percentExp);
  const amount = (units: bigint | null) =>
    units === null || toleranceCurrency === null
      ? null
      : formatDecimal(units, currencies.get(toleranceCurrency).exp);
  return {
    underpayment_percent: percent(underpayment.ppm),
    underpayment_amount: amount(underpayment.units),
    overpayment_percent: percent(overpayment.ppm),
    overpayment_amount: amount(overpayment.units),
    tolerance_currency: toleranceCurrency,
    time_limit: timeLimit,
    callback_url: callbackUrl,
  };
}

/** Throws Rejected with every fault. */
function read(
  settings: StoreSettings,
  { currencies, callbackUrlFault }: Pick<StoreSettingsContext, "currencies" | "callbackUrlFault">,
): DepositDefaults {
  const faults: Rejection[] = [];
  const { tolerance_currency: currencyId, callback_url: callbackUrl } = settings;
  const currency = currencyId === null ? null : currencies.find(currencyId);
  if (currencyId !== null && currency === null)
    faults.push(invalid("tolerance_currency", "There is no such currency."));
  const percent = (name: keyof typeof percentMax): number | null => {
    const text = settings[name];
    if (text === null) return null;
    const parsed = parseDecimal(text, percentExp);
    const ppm = parsed.kind === "units" ? parsed.units : -1n;
    if (ppm >= 0n && ppm <= BigInt(percentMax[name]) * 10_000n) return Number(ppm);
    faults.push(
      invalid(name, `Enter a percentage from 0 to ${percentMax[name]} with at most 4 decimals.`),
    );
    return null;
  };
  const amount = (name: "underpayment_amount" | "overpayment_amount"): bigint | null => {
    const text = settings[name];
    if (text === null) return null;
    if (currency === null) {
      if (currencyId === null)
        faults.push(invalid("tolerance_currency", "Choose the currency of the amounts."));
      return null;
    }
    const units = amountIn(currency, text);
    if (units === null)
      faults.push(
        invalid(
          name,
          `Enter an amount of ${currency.alpha} with at most ${currency.exp} decimals.`,
        ),
      );
    return units;
  };
  const defaults: DepositDefaults = {
    underpayment: { ppm: percent("underpayment_percent"), units: amount("underpayment_amount") },
    overpayment: { ppm: percent("overpayment_percent"), units: amount("overpayment_amount") },
    toleranceCurrency: currency?.id ?? null,
    timeLimit: settings.time_limit,
    callbackUrl,
  };
  const urlFault = callbackUrl === null ? null : callbackUrlFault(callbackUrl);
  if (urlFault !== null) faults.push(invalid("callback_url", urlFault));
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected(first, ...others);
  return defaults;
}

function amountIn({ exp }: Currency, text: string): bigint | null {
  const parsed = parseDecimal(text, exp);
  return parsed.kind === "units" && parsed.units >= 0n ? parsed.units : null;
}

function invalid(member: string, detail: string): Rejection {
  return rejection("invalidValue", detail, { pointer: `/data/attributes/${member}` });
}
