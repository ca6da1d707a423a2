import type { ChainWriter, Payment } from "../../chains/paying-port.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { Payout } from "../payout.ts";
import { blockPayouts } from "./block-payouts.ts";
import type { SendContext } from "./send-context.ts";

type Candidate = { readonly payout: Payout; readonly payment: Payment };

/**
 * Those of the payouts whose receivers can be paid now. Their state may have changed since the payouts were created: an account
 * that was closed, a trust line that was removed. What can no longer be paid is blocked with the reason; where the node has no
 * answer, `onOutage` is called and the payout waits.
 */
export async function keepPayable<Kept extends Candidate>(
  context: SendContext,
  { receiver }: Pick<NonNullable<ChainWriter["account"]>, "receiver">,
  candidates: readonly Kept[],
  onOutage: (cause: Unavailable) => void,
  signal: AbortSignal,
): Promise<readonly Kept[]> {
  if (receiver === null) return candidates;
  const found = await Promise.all(
    candidates.map(async ({ payment: { destination, amount } }) => {
      try {
        return await receiver(destination, amount.currency, signal);
      } catch (error) {
        if (error instanceof Unavailable) return error;
        throw error;
      }
    }),
  );
  const payable: Kept[] = [];
  for (const [place, candidate] of candidates.entries()) {
    const state = found[place];
    if (state === undefined || state instanceof Unavailable) {
      if (state !== undefined) onOutage(state);
    } else if (state.kind === "impossible") {
      await blockPayouts(context, [candidate.payout], state.reason);
    } else if (
      state.kind === "needsActivation" &&
      candidate.payment.amount.units < state.minimumUnits
    ) {
      const reason = `the receiver's account does not exist, and creating it takes at least ${state.minimumUnits} units`;
      await blockPayouts(context, [candidate.payout], reason);
    } else payable.push(candidate);
  }
  return payable;
}
