import { readPositions } from "../../ledger/position.store.ts";
import type { PositionLimits } from "../../ledger/position-limits.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/** What the operator holds of a currency from conversions, units of it; negative: what it owes. */
export type CurrencyPosition = {
  readonly currency: CurrencyId;
  readonly units: bigint;
  /** How far it may go in either direction; null: as far as it goes. */
  readonly maxUnits: bigint | null;
};

/** Of every currency that was converted or has a limit. */
export async function listPositions(
  db: Executor,
  { max }: PositionLimits,
): Promise<readonly CurrencyPosition[]> {
  const positions = await readPositions(db);
  const ids = [...new Set([...positions.keys(), ...max.keys()])];
  return ids.map((currency) => ({
    currency,
    units: positions.get(currency) ?? 0n,
    maxUnits: max.get(currency) ?? null,
  }));
}
