import { addSeconds, type Instant } from "../kernel/clock.ts";
import type { PayoutIntent, SpendIntent } from "./intent.ts";
import type { ChainLimits, CurrencyLimits, SignerLimits } from "./limits-file.ts";
import type { SpendTotals } from "./spend-totals.ts";

/*
 * What the signer refuses by its own rules, whoever asks and whatever was approved. Every function gives the reason, for
 * operators, or null.
 */

const hourSeconds = 3_600;
const daySeconds = 86_400;

/** The rules of a chain; null where there are none. A chain that is not named allows nothing. */
export function findChainLimits(limits: SignerLimits, chain: string): ChainLimits | null {
  if (limits === "none") return null;
  return limits.get(chain) ?? closed;
}

const closed: ChainLimits = {
  kinds: new Set(),
  feePerTransaction: 0n,
  feesPerDay: 0n,
  cold: null,
  currencies: new Map(),
};

/** Judges what the intent says by itself. */
export function refuseIntent(rules: ChainLimits | null, intent: SpendIntent): string | null {
  const { chain, kind } = intent;
  if (rules !== null && !rules.kinds.has(kind)) {
    return `the signer's limits allow no ${kind} on ${chain}`;
  }
  if (kind === "cold" && (rules?.cold ?? null) === null)
    return `no cold address is set for ${chain}`;
  if (rules === null || kind !== "payout") return null;
  return intent.payouts.map((payout) => refusePayout(rules, payout)).find(isReason) ?? null;
}

function isReason(refusal: string | null): boolean {
  return refusal !== null;
}

function refusePayout(
  { currencies }: ChainLimits,
  { payoutId, currency, units }: PayoutIntent,
): string | null {
  if (currencies === null) return null;
  const limits = currencies.get(currency);
  if (limits === undefined) return `payout ${payoutId}: no limits are set for currency ${currency}`;
  return isAbove(BigInt(units), limits.perPayout)
    ? `payout ${payoutId}: ${units} of currency ${currency} is above the ${limits.perPayout} allowed per payout`
    : null;
}

/** Judges what would have been paid and burnt with this spend. `newPayouts`: those never signed before. */
export function refuseTotals(
  rules: ChainLimits | null,
  asked: {
    readonly chain: string;
    readonly newPayouts: readonly PayoutIntent[];
    /** What the spend can burn beyond what its earlier attempts could. */
    readonly addedFee: bigint;
  },
  totals: SpendTotals,
  now: Instant,
): string | null {
  if (rules === null) return null;
  const { chain, newPayouts, addedFee } = asked;
  const fees = totals.feesSince(chain, addSeconds(now, -daySeconds)) + addedFee;
  if (isAbove(fees, rules.feesPerDay) && addedFee > 0n) {
    return `fees of a day would be ${fees}, above the ${rules.feesPerDay} allowed on ${chain}`;
  }
  const byCurrency = new Map<string, bigint>();
  for (const { currency, units } of newPayouts) {
    byCurrency.set(currency, (byCurrency.get(currency) ?? 0n) + BigInt(units));
  }
  for (const [currency, units] of byCurrency) {
    const limits = rules.currencies?.get(currency);
    const refusal = limits === undefined ? null : refuseSpans(limits, { chain, currency, units });
    if (refusal !== null) return refusal;
  }
  return null;

  function refuseSpans(
    { perHour, perDay }: CurrencyLimits,
    paid: { readonly chain: string; readonly currency: string; readonly units: bigint },
  ): string | null {
    const spans = [
      { name: "an hour", seconds: hourSeconds, limit: perHour },
      { name: "a day", seconds: daySeconds, limit: perDay },
    ];
    for (const { name, seconds, limit } of spans) {
      const since = addSeconds(now, -seconds);
      const sum = totals.paidSince(paid.chain, paid.currency, since) + paid.units;
      if (isAbove(sum, limit)) {
        return `${name}'s payouts of currency ${paid.currency} would be ${sum}, above the ${limit} allowed`;
      }
    }
    return null;
  }
}

/** The lower of what the intent allows to be burnt and what the rules do. */
export function feeCeiling(rules: ChainLimits | null, intent: SpendIntent): bigint {
  const asked = BigInt(intent.feeCeiling);
  const limit = rules?.feePerTransaction ?? null;
  return limit !== null && limit < asked ? limit : asked;
}

function isAbove(value: bigint, limit: bigint | null): boolean {
  return limit !== null && value > limit;
}
