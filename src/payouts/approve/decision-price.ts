import type { FindRate } from "../../currencies/rates/current-rate.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import type { Payout } from "../payout.ts";
import { currentCharge, type RevaluationContext, revaluedFrom } from "./revalue-payout.ts";

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
