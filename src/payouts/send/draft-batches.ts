import type {
  AccountBatch,
  AccountDraftOutcome,
  ChainWriter,
  FeeCeiling,
} from "../../chains/paying-port.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Payout } from "../payout.ts";
import type { Batch } from "./open-batches.ts";
import type { SendContext } from "./send-context.ts";

/** Drafts transactions of one payment each where the chain makes no others. */
export function draftEachBatch(
  { batching, draftEach }: NonNullable<ChainWriter["account"]>,
  address: string,
  batches: readonly AccountBatch[],
  ceiling: FeeCeiling,
  signal: AbortSignal,
): Promise<readonly AccountDraftOutcome[]> {
  if (batching !== undefined) return batching.draftEach(address, batches, ceiling, signal);
  const payments = batches.flatMap(({ payments: each, ...rest }) =>
    each.map((payment) => ({ payment, ...rest })),
  );
  assert(payments.length === batches.length, "each transaction of this chain makes one payment");
  return draftEach(address, payments, ceiling, signal);
}

/** What the payouts' transaction pays, and at which fee it aims. */
export function batchOf(context: SendContext, batch: Batch): AccountBatch {
  const feeTargets = batch.map(({ payout }) => feeTargetOf(payout, context));
  const targets = feeTargets.flatMap((units) => units ?? []);
  return {
    payments: batch.map(({ payment }) => payment),
    feeTargets,
    feeTarget: targets.length === 0 ? null : targets.reduce((sum, units) => sum + units, 0n),
    reference: present(batch[0], "a payout").payout.id,
  };
}

/** The fee charged to the payer, at which the draft aims; null if there is none. */
function feeTargetOf({ feeCurrency, feeUnits }: Payout, { writer }: SendContext): bigint | null {
  return feeCurrency !== writer.coin || feeUnits === 0n ? null : feeUnits;
}
