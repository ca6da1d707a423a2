import type { FindRate } from "../../currencies/rates/current-rate.ts";
import { noFreshRate } from "../../currencies/rates/no-fresh-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { lockBalances } from "../../ledger/ledger.store.ts";
import type { Executor } from "../../platform/db/database.ts";
import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import { multiplyByRate, type Rate } from "../../platform/kernel/rate.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { lockPayoutRows } from "../payout.store.ts";
import type { Payout } from "../payout.ts";

export type RevaluationContext = {
  readonly currencies: CurrencyRegistry;
  /** Approving or releasing a payout older than this charges it at the current ask. */
  readonly payoutRevalueAfterSeconds: number;
};

type Dated = Pick<
  Payout,
  "stage" | "currency" | "walletCurrency" | "isInternal" | "isRefund" | "createdAt"
>;

/**
 * The time from which approving or releasing a payout charges the current ask; null if its charge never changes. An internal
 * payout is always revalued, because it credits its receiver at the same moment. A refund never is: its wallet was credited
 * exactly what it charges.
 */
function revaluedFrom(
  payout: Dated,
  { payoutRevalueAfterSeconds }: Pick<RevaluationContext, "payoutRevalueAfterSeconds">,
): Instant | null {
  const { stage, currency, walletCurrency, isInternal, isRefund, createdAt } = payout;
  const isUndecided = stage === "waiting" || stage === "blocked";
  if (!isUndecided || currency === walletCurrency || isRefund) return null;
  return isInternal ? createdAt : addSeconds(createdAt, payoutRevalueAfterSeconds);
}

/** The payout, charged at another ask and rounded up. Pure. */
function chargedAt(payout: Payout, rate: Rate, currencies: CurrencyRegistry): Payout {
  const { units, commissionUnits, feeUnits, currency, feeCurrency, isFeeIncluded } = payout;
  const isFeeOnTop = feeCurrency === currency && !isFeeIncluded;
  const debited = units + commissionUnits + (isFeeOnTop ? feeUnits : 0n);
  const [from, to] = [currencies.get(currency), currencies.get(payout.walletCurrency)];
  return { ...payout, rate, chargedUnits: multiplyByRate(debited, from.exp, rate, to.exp, "up") };
}

/**
 * Locks a payout that is being approved or released and returns its charge: unchanged, or at the current ask. Rejects with
 * feeUnavailable without a fresh price, and with insufficientFunds if the wallet does not cover the difference.
 */
export async function revalueCharge(
  tx: Executor,
  context: RevaluationContext & { readonly findRate: FindRate },
  id: string,
  now: Instant,
): Promise<Pick<Payout, "rate" | "chargedUnits"> | null> {
  const [payout] = await lockPayoutRows(tx, [id]);
  if (payout === undefined) return null;
  const from = revaluedFrom(payout, context);
  if (from === null || now < from) return payout;
  const charged = await currentCharge(context, payout);
  if (charged === null) {
    const { currencies } = context;
    const pair = [currencies.get(payout.currency), currencies.get(payout.walletCurrency)] as const;
    return reject("feeUnavailable", noFreshRate(...pair));
  }
  const more = charged.chargedUnits - payout.chargedUnits;
  const [balance] = more > 0n ? await lockBalances(tx, [payout]) : [];
  if (balance !== undefined && (balance.deficit > 0n || balance.available < more)) {
    const detail = "The wallet's balance doesn't cover the payout at the current rate.";
    reject("insufficientFunds", detail);
  }
  return charged;
}

/** The payout as it would be charged if it were approved or released now; null without a fresh price. */
async function currentCharge(
  { currencies, findRate }: RevaluationContext & { readonly findRate: FindRate },
  payout: Payout,
): Promise<Payout | null> {
  const found = await findRate(payout.currency, payout.walletCurrency);
  return found === null ? null : chargedAt(payout, found.ask, currencies);
}

export type DecisionPriceContext = RevaluationContext & {
  readonly findRate: FindRate;
  readonly clock: Clock;
};

/**
 * What approving or releasing a payout would charge now, and from when the charge follows the price. `charge` is null if the
 * payout is not on hold or no price is fresh.
 */
export async function decisionPrice(
  context: DecisionPriceContext,
  payout: Payout,
): Promise<{
  readonly charge: Pick<Payout, "rate" | "chargedUnits"> | null;
  readonly revaluedFrom: Instant | null;
}> {
  const from = revaluedFrom(payout, context);
  const isWaiting = payout.stage === "waiting" || payout.stage === "blocked";
  if (!isWaiting) return { charge: null, revaluedFrom: null };
  const isDue = from !== null && from <= context.clock.now();
  return { charge: isDue ? await currentCharge(context, payout) : payout, revaluedFrom: from };
}
