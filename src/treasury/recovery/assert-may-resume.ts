import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { findUnread, listUnexplained } from "./unexplained.store.ts";

/** A pause caused by a restore. */
export type RestorePause = { readonly chain: string; readonly since: Instant };

/**
 * Rejects with invalidValue unless payouts on these chains may be resumed: since its pause began, each chain must have been
 * read to its node's newest block (where transactions claim nothing, past the validity of all that were signed before), and a
 * person must have decided about every unexplained transaction of our accounts.
 */
export async function assertMayResume(
  db: Executor,
  pauses: readonly RestorePause[],
): Promise<void> {
  const open = (await listUnexplained(db)).filter(
    ({ chain, decidedAt }) => decidedAt === null && pauses.some((pause) => pause.chain === chain),
  );
  if (open.length > 0) {
    const named = open.map(({ chain, txid }) => `${chain} ${txid}`).join(", ");
    reject(
      "invalidValue",
      `A person must decide about these transactions first: ${named}. \`sluice unexplained\` shows them.`,
    );
  }
  const unread: string[] = [];
  for (const { chain, since } of pauses) unread.push(...(await findUnread(db, [chain], since)));
  if (unread.length > 0) {
    reject(
      "invalidValue",
      `A worker must read these chains to their newest block first: ${unread.join(", ")}.`,
    );
  }
}
