import type { Database } from "../db/database.ts";
import type { Clock, Instant } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import type { CurrencyId } from "../kernel/money.ts";
import { systemAccount } from "./ledger-account.ts";
import { debitBalance, upsertReconciliation } from "./reconcile.store.ts";

/** A block up to which both sides have counted. */
export type BookedBlock = { readonly height: number; readonly hash: string };

export type Reconciliation = {
  readonly chain: string;
  readonly currency: CurrencyId;
  readonly height: number;
  readonly ledgerUnits: bigint;
  readonly chainUnits: bigint;
  /** Since when the two differ; null while they agree. */
  readonly differsSince: Instant | null;
  /** The block at which that was first seen. */
  readonly differsSinceHeight: number | null;
};

export type ReconciledChain = {
  readonly chain: string;
  /** The newest block that is booked; null while there is none. */
  readonly bookedUpTo: () => Promise<BookedBlock | null>;
  /** What our addresses hold right after that block; null when the chain cannot say it for that block (any more). */
  readonly holdings: (
    currency: CurrencyId,
    at: BookedBlock,
    signal: AbortSignal,
  ) => Promise<bigint | null>;
};

/**
 * Compares what the ledger says our addresses hold of a currency (`chain/C`) with what the chain says, at one and the
 * same block, and records the outcome. Null, with nothing recorded, when a block came in between: the next run
 * tries again. A difference is shown since its first sighting until the two agree.
 */
export async function reconcile(
  { db, clock, logger }: { readonly db: Database; readonly clock: Clock; readonly logger: Logger },
  { chain, bookedUpTo, holdings }: ReconciledChain,
  currency: CurrencyId,
  signal: AbortSignal,
): Promise<Reconciliation | null> {
  const before = await bookedUpTo();
  if (before === null) return null;
  // In a transaction, so on a connection apart: the sum over all postings takes the longer, the older the service is.
  const ledgerUnits = await db.transaction((tx) =>
    debitBalance(tx, systemAccount("chain", currency), currency),
  );
  const chainUnits = await holdings(currency, before, signal);
  const after = await bookedUpTo();
  if (chainUnits === null || after?.hash !== before.hash) return null;

  const found = { chain, currency, height: before.height, ledgerUnits, chainUnits };
  const difference = await upsertReconciliation(db, found, clock.now());
  if (difference !== null) {
    logger.error("the ledger and the chain differ", {
      chain,
      currency,
      height: before.height,
      ledgerUnits: ledgerUnits.toString(),
      chainUnits: chainUnits.toString(),
    });
  }
  return { ...found, ...(difference ?? { differsSince: null, differsSinceHeight: null }) };
}
