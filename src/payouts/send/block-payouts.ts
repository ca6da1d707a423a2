import { changePayouts } from "../change-payouts.ts";
import type { Payout } from "../payout.ts";
import type { SendContext } from "./send-context.ts";

/** They wait for a person, who is told why. */
export async function blockPayouts(
  context: SendContext,
  group: readonly Payout[],
  reason: string,
): Promise<void> {
  const { db, chain, clock, logger } = context;
  const ids = group.map(({ id }) => id);
  logger.error("a payout cannot be paid", { chain, payouts: ids, reason });
  await db.transaction((tx) =>
    changePayouts(
      tx,
      context,
      ids,
      (payout) =>
        payout.stage === "held" ? { ...payout, stage: "blocked", message: reason } : payout,
      clock.now(),
    ),
  );
}

/** Fees are above the ceiling for now. */
export function logFeesTooHigh({ chain, logger }: SendContext, feeUnits: bigint): void {
  logger.warn("payouts wait: fees are above the ceiling", { chain, feeUnits: feeUnits.toString() });
}
