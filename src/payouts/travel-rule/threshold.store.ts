import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/** A threshold that an operator set, in units of its currency. */
export type StoredThreshold = {
  readonly currency: string;
  readonly units: bigint;
  readonly setAt: Instant;
};

const read = statement<StoredThreshold>(
  "travel-rule-threshold.read",
  `select currency, units, set_at as "setAt" from travel_rule_threshold order by currency`,
);

/** All thresholds that operators set. */
export function readStoredThresholds(db: Executor): Promise<readonly StoredThreshold[]> {
  return db.query(read, []);
}

const save = statement(
  "travel-rule-threshold.save",
  `insert into travel_rule_threshold (currency, units, set_at) values ($1, $2, $3)
   on conflict (currency) do update set units = excluded.units, set_at = excluded.set_at`,
);

/** Sets a currency's threshold. */
export async function saveThreshold(
  tx: Executor,
  currency: string,
  units: bigint,
  now: Instant,
): Promise<void> {
  await tx.query(save, [currency, units, formatTimestamp(now)]);
}

const readOne = statement<{ readonly units: bigint }>(
  "travel-rule-threshold.read-one",
  "select units from travel_rule_threshold where currency = $1",
);

/** A currency's threshold; null if no operator set one. */
export async function readStoredThreshold(tx: Executor, currency: string): Promise<bigint | null> {
  const [row] = await tx.query(readOne, [currency]);
  return row?.units ?? null;
}

const lock = statement(
  "travel-rule-threshold.lock",
  "lock table travel_rule_threshold in share row exclusive mode",
);

/** Lets one transaction at a time change thresholds; payouts still read them. Take it after the account's lock. */
export async function lockThresholds(tx: Executor): Promise<void> {
  await tx.query(lock, []);
}

const remove = statement<{ readonly currency: string }>(
  "travel-rule-threshold.delete",
  "delete from travel_rule_threshold where currency = $1 returning currency",
);

/** Removes a currency's threshold; false if there is none. */
export async function deleteThreshold(tx: Executor, currency: string): Promise<boolean> {
  return (await tx.query(remove, [currency])).length > 0;
}
