import type { Database } from "../../platform/db/database.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { depositStatus } from "../deposit-status.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { readExpired } from "./incoming.store.ts";
import { type DepositContext, type Facts, reconsider } from "./reconsider.ts";

const batchSize = 200;

/**
 * Ends deposits whose time limit has run out: Canceled when nothing was paid, Unresolved when only a part was. Only those
 * whose chain was read, blocks and mempool, beyond the limit are looked at, so a lagging node cancels nothing that was
 * paid; and one with payments still pending is left until they are through. Returns how many were concluded.
 */
export async function concludeExpiries(
  context: DepositContext & {
    readonly db: Database;
    readonly clock: Clock;
    /** Chains that make no blocks of their own (a private test chain): there the follower standing at the tip is enough. */
    readonly idleChains: readonly string[];
  },
): Promise<number> {
  for (let total = 0; ; ) {
    const now = context.clock.now();
    const ids = await readExpired(context.db, now, context.idleChains, batchSize);
    const request = { depositIds: ids, transferIds: [], tips: new Map(), now, isWhole: true };
    const decisions = await context.db.transaction((tx) =>
      reconsider(tx, context, request, (facts) => conclude(facts, now)),
    );
    const concluded = decisions.filter(({ deposit }) => deposit.expiryConcludedAt === now).length;
    total += concluded;
    // Those that something happened to meanwhile are looked at another time.
    if (concluded < batchSize) return total;
  }
}

function conclude({ deposit, transfers }: Facts, now: Instant): Facts {
  const { expiresAt, status } = deposit;
  const isDue =
    status === depositStatus.created &&
    expiresAt !== null &&
    expiresAt < now &&
    !transfers.some((transfer) => isPendingInTime(transfer, expiresAt));
  return { deposit: isDue ? { ...deposit, expiryConcludedAt: now } : deposit, transfers };
}

function isPendingInTime(transfer: TransferRecord, expiresAt: Instant): boolean {
  return (
    transfer.disposition === "pending" && !transfer.isConfirmed && transfer.firstSeenAt <= expiresAt
  );
}
