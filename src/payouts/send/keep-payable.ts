import type { ChainWriter } from "../../chains/paying-port.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { blockPayouts } from "./block-payouts.ts";
import type { CreatedAccounts } from "./create-once.ts";
import type { Candidate } from "./open-batches.ts";
import { readAddressesOnTheWay } from "./send.store.ts";
import type { SendContext } from "./send-context.ts";

/**
 * Those of the payouts whose receivers can be paid now, and what their payments create. The receivers' state may have changed since the
 * payouts were created: an account that was closed, a trust line that was removed. What can no longer be paid is blocked with the
 * reason; where the node has no answer, `onOutage` is called and the payout waits. So it does while a transaction that creates its
 * receiver's account is on the way, if only one can.
 */
export async function keepPayable(
  context: SendContext,
  { receiver }: Pick<NonNullable<ChainWriter["account"]>, "receiver">,
  candidates: readonly Candidate[],
  onOutage: (cause: Unavailable) => void,
  signal: AbortSignal,
): Promise<CreatedAccounts> {
  if (receiver === null) return new Map(candidates.map((candidate) => [candidate, null]));
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
  const addresses = candidates.flatMap((candidate, place) => {
    const state = found[place];
    return state !== undefined && "createdOnce" in state ? [addressOf(candidate)] : [];
  });
  const onTheWay = await readAddressesOnTheWay(context.db, context.chain, addresses);
  const payable = new Map<Candidate, string | null>();
  for (const [place, candidate] of candidates.entries()) {
    const state = found[place];
    if (state === undefined || state instanceof Unavailable) {
      if (state !== undefined) onOutage(state);
    } else if (state.kind === "impossible") {
      await blockPayouts(context, [candidate.payout], state.reason);
    } else if (state.kind === "ready") payable.set(candidate, null);
    else {
      const address = addressOf(candidate);
      const { createdOnce = false, minimumUnits } = state;
      if (createdOnce && onTheWay.has(address)) continue;
      if (candidate.payment.amount.units < minimumUnits) {
        const reason = `the receiver's account does not exist, and creating it takes at least ${minimumUnits} units`;
        await blockPayouts(context, [candidate.payout], reason);
      } else payable.set(candidate, createdOnce ? address : null);
    }
  }
  return payable;
}

function addressOf({ payment }: Candidate): string {
  return payment.destination.address;
}
