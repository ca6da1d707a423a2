import { addSeconds, type Instant } from "../platform/kernel/clock.ts";
import { assetName, type IntendedAsset, type PayoutIntent, type SpendIntent } from "./intent.ts";
import type { SpendTotals } from "./journal/spend-totals.ts";
import type { ChainLimits, CurrencyLimits, SignerLimits } from "./limits-file.ts";

/*
 * What the signer refuses by its own rules, regardless of the caller and of any approval. Every function returns the reason, for
 * operators, or null.
 */

const hourSeconds = 3_600;
const daySeconds = 86_400;

/** The rules of a chain; null if there are none. A chain that is not named allows nothing. */
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

/** The asset of a currency on a chain, by the signer's own configuration; null if the chain has no such currency. */
export type FindAsset = (chain: string, currency: string) => IntendedAsset | null;

/** Checks an intent by itself. */
export function refuseIntent(
  rules: ChainLimits | null,
  findAsset: FindAsset,
  intent: SpendIntent,
): string | null {
  const { chain, kind } = intent;
  if (rules !== null && !rules.kinds.has(kind)) {
    return `the signer's limits allow no ${kind} on ${chain}`;
  }
  if (kind === "cold" && (rules?.cold ?? null) === null)
    return `no cold address is set for ${chain}`;
  if (kind !== "payout") return null;
  return (
    intent.payouts
      .map((payout) => refuseCurrency(rules, findAsset, payout) ?? refusePayout(rules, payout))
      .find(isReason) ?? null
  );
}

function isReason(refusal: string | null): boolean {
  return refusal !== null;
}

/** The caller names the currency, and with it the limits that apply: it must be the currency of what is paid. */
function refuseCurrency(
  rules: ChainLimits | null,
  findAsset: FindAsset,
  { payoutId, chain, currency, asset }: PayoutIntent,
): string | null {
  const limits = rules?.currencies ?? new Map<string, CurrencyLimits>();
  const locator = limits.get(currency)?.locator ?? null;
  const own = locator === null ? findAsset(chain, currency) : token(locator);
  if (own === null)
    return `payout ${payoutId}: the signer's configuration has no currency ${currency} on ${chain}`;
  if (assetName(own) !== assetName(asset))
    return `payout ${payoutId}: currency ${currency} is ${assetName(own)} to the signer, not ${assetName(asset)}`;
  for (const [other, { locator: named }] of limits) {
    if (other !== currency && named !== null && assetName(token(named)) === assetName(asset))
      return `payout ${payoutId}: limits.json assigns ${named} to currency ${other}, not ${currency}`;
  }
  return null;
}

function token(locator: string): IntendedAsset {
  return { kind: "token", locator };
}

function refusePayout(
  rules: ChainLimits | null,
  { payoutId, currency, units }: PayoutIntent,
): string | null {
  const currencies = rules?.currencies ?? null;
  if (currencies === null) return null;
  const limits = currencies.get(currency);
  if (limits === undefined) return `payout ${payoutId}: no limits are set for currency ${currency}`;
  return isAbove(BigInt(units), limits.perPayout)
    ? `payout ${payoutId}: ${units} of currency ${currency} is above the ${limits.perPayout} allowed per payout`
    : null;
}

/** Checks the totals of payments and fees including this spend. `newPayouts` were never signed before. */
export function refuseTotals(
  rules: ChainLimits | null,
  requested: {
    readonly chain: string;
    readonly newPayouts: readonly PayoutIntent[];
    /** What the spend can burn beyond its earlier attempts. */
    readonly addedFee: bigint;
  },
  totals: SpendTotals,
  now: Instant,
): string | null {
  if (rules === null) return null;
  const { chain, newPayouts, addedFee } = requested;
  const fees = totals.feesSince(chain, addSeconds(now, -daySeconds)) + addedFee;
  if (isAbove(fees, rules.feesPerDay) && addedFee > 0n) {
    return `fees of a day would be ${fees}, above the ${rules.feesPerDay} allowed on ${chain}`;
  }
  // One currency is one asset here, as `refuseIntent` has checked.
  for (const [currency, payouts] of Map.groupBy(newPayouts, (payout) => payout.currency)) {
    const limits = rules.currencies?.get(currency);
    const refusal = limits === undefined ? null : refuseSpans(limits, payouts);
    if (refusal !== null) return refusal;
  }
  return null;

  function refuseSpans(
    { perHour, perDay }: CurrencyLimits,
    payouts: readonly PayoutIntent[],
  ): string | null {
    const [first] = payouts;
    if (first === undefined) return null;
    const { currency, asset } = first;
    const added = payouts.reduce((total, { units }) => total + BigInt(units), 0n);
    const spans = [
      { name: "an hour", seconds: hourSeconds, limit: perHour },
      { name: "a day", seconds: daySeconds, limit: perDay },
    ];
    for (const { name, seconds, limit } of spans) {
      const since = addSeconds(now, -seconds);
      const sum = totals.paidSince(chain, asset, since) + added;
      if (isAbove(sum, limit)) {
        return `${name}'s payouts of currency ${currency} would be ${sum}, above the ${limit} allowed`;
      }
    }
    return null;
  }
}

/** The lower of the intent's fee ceiling and the rules' one. */
export function feeCeiling(rules: ChainLimits | null, intent: SpendIntent): bigint {
  const requested = BigInt(intent.feeCeiling);
  const limit = rules?.feePerTransaction ?? null;
  return limit !== null && limit < requested ? limit : requested;
}

function isAbove(value: bigint, limit: bigint | null): boolean {
  return limit !== null && value > limit;
}
