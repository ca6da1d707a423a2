import { readPositions } from "../../ledger/position.store.ts";
import type { PositionLimits } from "../../ledger/position-limits.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/** The operator's position in a currency from conversions, in its units; negative when the operator owes it. */
export type CurrencyPosition = {
  readonly currency: CurrencyId;
  readonly units: bigint;
  /** The limit in either direction; null: unlimited. */
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
