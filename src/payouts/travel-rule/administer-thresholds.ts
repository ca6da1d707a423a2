import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { assertOperator } from "../../accounts/operator.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { formatDecimal, parseDecimal } from "../../platform/kernel/decimal.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { supersedeEverywhereChanges } from "../protection/protection-change.store.ts";
import { thresholdSubject } from "../protection/protection-change.ts";
import {
  deleteThreshold,
  lockThresholds,
  readStoredThreshold,
  readStoredThresholds,
  saveThreshold,
} from "./threshold.store.ts";
import type { TravelRuleThresholds } from "./travel-rule.ts";

export type ThresholdContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly currencies: CurrencyRegistry;
  /** Those of the configuration. */
  readonly travelRuleThresholds: TravelRuleThresholds;
};

/** The threshold in force for a currency. `setAt` null: from the configuration. */
export type Threshold = {
  readonly currency: Currency;
  readonly units: bigint;
  readonly setAt: Instant | null;
};

/** The thresholds in force. Rejects with permissionDenied unless the caller operates the deployment. */
export async function listThresholds(
  { db, currencies, travelRuleThresholds }: ThresholdContext,
  principal: Principal,
): Promise<readonly Threshold[]> {
  await assertOperator(db, principal);
  const inForce = new Map<string, Omit<Threshold, "currency">>(
    [...travelRuleThresholds].map(([currency, units]) => [currency, { units, setAt: null }]),
  );
  for (const { currency, units, setAt } of await readStoredThresholds(db))
    inForce.set(currency, { units, setAt });
  return [...inForce].flatMap(([id, threshold]) => {
    const currency = currencies.find(id);
    return currency === null ? [] : [{ currency, ...threshold }];
  });
}

/**
 * Lowers the amount from which payouts of the currency need travel-rule data. Rejects with permissionDenied unless the caller operates
 * the deployment, and for an amount that excuses more payouts, which takes two members; with invalidValue for a currency that cannot be paid out and for an amount with too many digits.
 */
export async function setThreshold(
  { db, clock, currencies, travelRuleThresholds }: ThresholdContext,
  principal: Principal,
  request: { readonly currencyId: string; readonly amount: string },
): Promise<Threshold> {
  await assertOperator(db, principal);
  const currency = currencies.find(request.currencyId);
  if (currency === null || currency.chain === null)
    reject("invalidValue", "There is no such currency of a chain.", {
      pointer: "/data/relationships/currency",
    });
  const parsed = parseDecimal(request.amount, currency.exp);
  if (parsed.kind !== "units")
    reject("invalidValue", `${currency.alpha} has at most ${currency.exp} decimals.`, {
      pointer: "/data/attributes/amount",
    });
  const { units } = parsed;
  const now = clock.now();
  await db.transaction(async (tx) => {
    await lockThresholds(tx);
    const inForce =
      (await readStoredThreshold(tx, currency.id)) ?? travelRuleThresholds.get(currency.id) ?? 0n;
    if (units > inForce) refuseLoosening();
    await supersedeEverywhereChanges(tx, thresholdSubject(currency.id), now);
    await saveThreshold(tx, currency.id, units, now);
    await recordAudit(tx, {
      by: principal,
      action: "travel_rule_threshold.set",
      object: { type: "travel-rule-threshold", id: currency.id },
      summary: { currency: currency.alpha, amount: formatDecimal(units, currency.exp) },
      at: now,
    });
  });
  return { currency, units, setAt: now };
}

function refuseLoosening(): never {
  return reject(
    "permissionDenied",
    "This excuses more payouts, so a second member must approve it. Ask for it with POST /protection-change/.",
  );
}

/**
 * Removes a threshold, so that the configuration's applies, or none. Rejects as `setThreshold` does. False if there is none that can be removed. Rejects with
 * permissionDenied unless the caller operates the deployment.
 */
export async function removeThreshold(
  { db, clock, currencies, travelRuleThresholds }: ThresholdContext,
  principal: Principal,
  currencyId: string,
): Promise<boolean> {
  await assertOperator(db, principal);
  return db.transaction(async (tx) => {
    await lockThresholds(tx);
    const stored = await readStoredThreshold(tx, currencyId);
    if (stored === null) return false;
    if ((travelRuleThresholds.get(currencyId as CurrencyId) ?? 0n) > stored) refuseLoosening();
    await supersedeEverywhereChanges(tx, thresholdSubject(currencyId), clock.now());
    await deleteThreshold(tx, currencyId);
    await recordAudit(tx, {
      by: principal,
      action: "travel_rule_threshold.removed",
      object: { type: "travel-rule-threshold", id: currencyId },
      summary: { currency: currencies.find(currencyId)?.alpha ?? currencyId },
      at: clock.now(),
    });
    return true;
  });
}
