import { bumpByChild } from "./bump-by-child.ts";
import { checkPendingSpends } from "./check-pending-spends.ts";
import { fillGaps } from "./fill-gaps.ts";
import { replaceStuck } from "./replace-spend.ts";
import type { SpendContext } from "./spend-context.ts";
import { tryEach } from "./try-each.ts";

/**
 * Looks after what is under way on a chain: asks about what no block was seen to hold, raises fees of what waits too long, and
 * fills gaps among the nonces of our own accounts (`senders`, none on chains of coins). To be run once the
 * signer's journal was read: what is taken for somebody else's transaction must not be one of ours that was forgotten.
 */
export async function watchSpends(
  context: SpendContext,
  senders: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const steps: (() => Promise<unknown>)[] = [
    () => checkPendingSpends(context, signal),
    () => replaceStuck(context, signal),
    () => bumpByChild(context, signal),
    ...senders.map((sender) => () => fillGaps(context, sender, signal)),
  ];
  await tryEach(steps, async (step) => {
    await step();
  });
}
