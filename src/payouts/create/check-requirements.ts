import { mayView, type Principal } from "../../accounts/principal.ts";
import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { amountWithin } from "../../ledger/commission.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import type { Money } from "../../platform/kernel/money.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { Rejected, type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import { readLimitUsage } from "../approve/limits.ts";
import { at } from "../payout-documents.ts";
import {
  isTravelRuleRequired,
  type TravelRuleThresholds,
  travelRuleFrom,
} from "../travel-rule/travel-rule.ts";
import type { ReadPayoutFacts } from "./facts.store.ts";

export type RequirementsContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly currencies: CurrencyRegistry;
  readonly readFacts: ReadPayoutFacts;
  readonly travelRuleThresholds: TravelRuleThresholds;
};

/** A payout that is only considered, with texts as received. */
export type ConsideredPayout = {
  readonly walletId: string;
  readonly currencyId: string;
  readonly amount: string;
};

export type PayoutRequirements = {
  /** The caller's role, or a limit, makes the payout wait for another member's approval. */
  readonly needsApproval: boolean;
  /** The payout is refused without travel-rule data about its receiver. */
  readonly needsTravelRule: boolean;
  /** The amount from which payouts of the currency need travel-rule data; null: every payout does. */
  readonly travelRuleFrom: Money | null;
  /** The largest amount that, with its commission, costs no more than the considered one. */
  readonly afterCommission: Money;
};

/**
 * What a payout of this amount would need besides funds, if it were created now. Reserves nothing: other payouts that are created before it
 * count towards the same limits. Rejects with invalidValue for the amount, an unknown currency and a wallet that the caller may
 * not view.
 */
export async function checkRequirements(
  context: RequirementsContext,
  principal: Principal,
  { walletId, currencyId, amount }: ConsideredPayout,
): Promise<PayoutRequirements> {
  const { db, clock, currencies, readFacts, travelRuleThresholds } = context;
  const { accountId, role } = principal;
  const currency = currencies.find(currencyId);
  const isNamed = isObjectId(walletId) && mayView(principal, walletId);
  const facts = await readFacts({
    accountId,
    key: null,
    trackingId: null,
    walletId: isNamed ? walletId : null,
    currency,
  });
  const faults: Rejection[] = [];
  if (facts.wallet === null)
    faults.push(rejection("invalidValue", "There is no such wallet.", at.wallet));
  if (currency === null)
    faults.push(rejection("invalidValue", "There is no such currency.", at.currency));
  const units = currency === null ? null : readAmount(amount, currency, faults);
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected(first, ...others);
  if (currency === null || units === null) throw new Error("unreachable: no amount and no fault");
  const terms = { accountId, walletId, currency: currency.id, units };
  const usage = await readLimitUsage(db, [{ terms, limits: facts.limits }], clock.now());
  const from = travelRuleFrom(travelRuleThresholds, facts.travelRuleFrom, currency.id);
  return {
    travelRuleFrom: from === null ? null : { units: from, currency: currency.id },
    needsApproval: role === "withdrawals_with_approval" || usage.isExceeded(terms, facts.limits),
    needsTravelRule: isTravelRuleRequired(
      travelRuleThresholds,
      facts.travelRuleFrom,
      currency.id,
      units,
    ),
    afterCommission: {
      units: amountWithin(units, facts.commissionTerms),
      currency: currency.id,
    },
  };
}

function readAmount(amount: string, currency: Currency, faults: Rejection[]): bigint | null {
  const parsed = parseDecimal(amount, currency.exp);
  const source = at.attribute("amount");
  if (parsed.kind === "units" && parsed.units > 0n) return parsed.units;
  const detail =
    parsed.kind === "excessDigits"
      ? `${currency.alpha} has at most ${currency.exp} decimals.`
      : parsed.kind === "units"
        ? "amount must be greater than zero."
        : "amount is not a decimal number.";
  faults.push(rejection("invalidValue", detail, source));
  return null;
}
