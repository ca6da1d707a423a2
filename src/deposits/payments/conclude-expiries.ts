import type { Database } from "../../platform/db/database.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { depositStatus } from "../deposit-status.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import { readExpired } from "./incoming.store.ts";
import { type DepositContext, type Facts, reconsider } from "./reconsider.ts";

const batchSize = 200;

/**
 * Concludes deposits whose time limit has expired: Canceled without payments, Unresolved with a partial payment. It considers
 * only deposits whose chain, blocks and mempool, has been read beyond the limit, so that a lagging node cannot cancel a paid
 * deposit; deposits with pending payments wait for these. Returns how many were concluded.
 */
export async function concludeExpiries(
  context: DepositContext & {
    readonly db: Database;
    readonly clock: Clock;
    /**
     * Chains that produce no blocks of their own (a private test chain): there it is enough that the follower has reached the
     * tip.
     */
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
    // Deposits that changed since the query are left to the next run.
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
