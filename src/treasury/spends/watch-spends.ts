import { bumpByChild } from "./bump-by-child.ts";
import { checkPendingSpends } from "./check-pending-spends.ts";
import { expireSpends } from "./expire-spends.ts";
import { fillGaps } from "./fill-gaps.ts";
import { replaceStuck } from "./replace-spend.ts";
import type { SpendContext } from "./spend-context.ts";
import { tryEach } from "./try-each.ts";

/**
 * Maintains the pending spends of a chain: asks nodes about old ones, raises the fees of stuck ones, drafts expired ones
 * again or ends them, and fills sequence gaps of our accounts (`senders`, empty on UTXO chains). Run it after reading the signer's journal: a transaction that seems foreign
 * must not be one of ours that was forgotten.
 */
export async function watchSpends(
  context: SpendContext,
  senders: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const irreplaceable = new Set<string>();
  const steps: (() => Promise<unknown>)[] = [
    () => checkPendingSpends(context, signal),
    // What expired is drafted again where it can be, and ends otherwise.
    () => replaceStuck(context, signal, irreplaceable),
    () => expireSpends(context, signal, irreplaceable),
    () => bumpByChild(context, signal),
    ...senders.map((sender) => () => fillGaps(context, sender, signal)),
  ];
  await tryEach(steps, async (step) => {
    await step();
  });
}
