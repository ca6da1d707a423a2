import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { waitsForKeyImages } from "../holdings/coin.store.ts";
import { findUnread, listUnexplained, type UnreadChain } from "./unexplained.store.ts";

/** A pause caused by a restore. */
export type RestorePause = {
  readonly chain: string;
  readonly since: Instant;
  /** Whether the chain's blocks name what they spend by key images. */
  readonly byKeyImage: boolean;
};

/**
 * Rejects with invalidValue unless payouts on these chains may be resumed: since its pause began, each chain must have been
 * read to its node's newest block (where transactions claim nothing, past the validity of all that were signed before), and a
 * person must have decided about every unexplained transaction of our accounts. Where blocks name key images, those of all coins must be
 * known, since a transaction that spends the others is seen once they are; except coins that the wallets do not find, which they cannot spend.
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
  const nameless: string[] = [];
  for (const { chain, byKeyImage } of pauses)
    if (byKeyImage && (await waitsForKeyImages(db, chain))) nameless.push(chain);
  if (nameless.length > 0) {
    reject(
      "invalidValue",
      `A worker must have the signer compute the key images of all coins first: ${nameless.join(", ")}.`,
    );
  }
  const found: UnreadChain[] = [];
  for (const { chain, since } of pauses) found.push(...(await findUnread(db, [chain], since)));
  const unread = found.flatMap(({ chain, validUntil }) => (validUntil === null ? [chain] : []));
  if (unread.length > 0) {
    reject(
      "invalidValue",
      `A worker must read these chains to their newest block first: ${unread.join(", ")}.`,
    );
  }
  // Reading faster does not help here: the message says what is waited for.
  const waiting = found.flatMap(({ chain, validUntil }) =>
    validUntil === null ? [] : [`${chain} at ${formatTimestamp(validUntil)}`],
  );
  if (waiting.length > 0) {
    reject(
      "invalidValue",
      "A transaction from before the restore that no record is left of may still be included. Payouts can be resumed once a worker has " +
        `read a block of that time or later: ${waiting.join(", ")}.`,
    );
  }
}
