import { adjustBooks } from "../../ledger/adjust-books.ts";
import type { Database } from "../../platform/db/database.ts";
import { type Clock, type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import {
  type Difference,
  pauseByReconciliation,
  readDifferences,
  resumeByReconciliation,
} from "./difference.store.ts";

/** Currencies whose surplus is a gain of the operator, by the most that it may be. */
export type Gains = ReadonlyMap<CurrencyId, bigint>;

export type DifferenceContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A difference that lasts this long pauses payouts, even without new blocks. */
  readonly stopAfterSeconds: number;
  /** Currencies whose difference exceeds what is in flight, according to this comparison. */
  readonly beyondFlight: ReadonlySet<string>;
  readonly gains: Gains;
};

/** `watched`: there is a difference that the next comparison may no longer find. */
export type DifferenceState = "equal" | "watched" | "stopped";

/**
 * Pauses a chain's payouts while the ledger and the chain differ, and resumes them when they agree again. A difference larger
 * than what is in flight pauses at once; a smaller one once it was seen at two blocks or has lasted. A gain is booked then instead. Call it
 * after each comparison of the chain's `currencies`.
 */
export async function pauseOnDifference(
  { db, clock, logger, stopAfterSeconds, beyondFlight, gains }: DifferenceContext,
  chain: string,
  currencies: readonly string[],
): Promise<DifferenceState> {
  const now = clock.now();
  for (const { currency, ...found } of await readDifferences(db, chain, [...gains.keys()])) {
    if (!isLasting({ currency, ...found }, now, stopAfterSeconds)) continue;
    const most = gains.get(currency as CurrencyId) ?? 0n;
    const units = await adjustBooks({ db, clock }, chain, currency as CurrencyId, most);
    if (units > 0n)
      logger.warn("a surplus is booked as a gain", { chain, currency, units: units.toString() });
  }
  const differences = await readDifferences(db, chain, currencies);
  if (differences.length === 0) {
    if (await db.transaction((tx) => resumeByReconciliation(tx, chain, now)))
      logger.info("payouts resumed: the ledger and the chain agree again", { chain });
    return "equal";
  }
  const lasting = differences.filter(
    (difference) =>
      beyondFlight.has(difference.currency) || isLasting(difference, now, stopAfterSeconds),
  );
  if (lasting.length === 0) return "watched";
  const reason = `the ledger and the chain differ: ${lasting.map(describe).join("; ")}`;
  if (await db.transaction((tx) => pauseByReconciliation(tx, chain, reason, now)))
    logger.error("payouts paused: the ledger and the chain differ", { chain, reason });
  return "stopped";
}

function isLasting({ height, since, sinceHeight }: Difference, now: Instant, seconds: number) {
  return height !== sinceHeight || secondsBetween(since, now) >= seconds;
}

function describe({ currency, height, ledgerUnits, chainUnits }: Difference): string {
  return `currency ${currency}: ${ledgerUnits} booked, ${chainUnits} held at block ${height}`;
}
