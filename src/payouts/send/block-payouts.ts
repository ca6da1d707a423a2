import { changePayouts } from "../change-payouts.ts";
import type { Payout } from "../payout.ts";
import type { SendContext } from "./send-context.ts";

/** Blocks payouts until an operator decides. The reason, as a sentence, becomes their note. */
export async function blockPayouts(
  context: SendContext,
  group: readonly Payout[],
  reason: string,
): Promise<void> {
  const { db, chain, clock, logger } = context;
  const ids = group.map(({ id }) => id);
  const message = reason.charAt(0).toUpperCase() + reason.slice(1);
  logger.error("payout blocked", { chain, payouts: ids, reason });
  await db.transaction((tx) =>
    changePayouts(
      tx,
      context,
      ids,
      (payout) => (payout.stage === "held" ? { ...payout, stage: "blocked", message } : payout),
      clock.now(),
    ),
  );
}

/** Logs that fees exceed the ceiling for now. */
export function logFeesTooHigh({ chain, logger }: SendContext, feeUnits: bigint): void {
  logger.warn("payouts are waiting: fees exceed the ceiling", {
    chain,
    feeUnits: feeUnits.toString(),
  });
}
