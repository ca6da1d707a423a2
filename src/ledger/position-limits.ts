import type { CurrencyRegistry } from "../currencies/registry.ts";
import type { Executor } from "../platform/db/database.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { Rejected, type Rejection, rejection } from "../platform/kernel/rejection.ts";
import { lockPositions, type PositionUnits, readPositions } from "./position.store.ts";

/** How far the operator's position may go in either direction, by currency. */
export type PositionLimits = {
  readonly currencies: CurrencyRegistry;
  readonly max: PositionUnits;
};

/**
 * Does work that converts, and rejects with feeUnavailable what takes a position beyond its limit. Such work passes one by one,
 * so two conversions that fit only one by one never both pass. What brings a position back is never refused.
 */
export async function enforcePositionLimits<Result>(
  tx: Executor,
  limits: PositionLimits,
  work: () => Promise<Result>,
): Promise<Result> {
  const bounded = [...limits.max.keys()];
  if (bounded.length === 0) return work();
  await lockPositions(tx, bounded);
  const before = await readPositions(tx);
  const result = await work();
  const fault = positionFault(limits, before, await readPositions(tx));
  if (fault !== null) throw new Rejected(fault);
  return result;
}

/** The refusal of a change that takes a position beyond its limit; null: it may be made. Pure. */
function positionFault(
  { currencies, max }: PositionLimits,
  before: PositionUnits,
  after: PositionUnits,
): Rejection | null {
  for (const [id, limit] of max) {
    const reached = abs(after.get(id) ?? 0n);
    if (reached <= limit || reached <= abs(before.get(id) ?? 0n)) continue;
    const { alpha } = currencies.get(id);
    const detail = `Conversions of ${alpha} have reached the operator's limit; try again later.`;
    return rejection("feeUnavailable", detail);
  }
  return null;
}

function abs(units: bigint): bigint {
  return units < 0n ? -units : units;
}

/** Whether changes of the position would be refused at this moment; null: they would not. */
export type FindPositionFault = (
  changes: readonly (readonly [CurrencyId, bigint])[],
) => Promise<Rejection | null>;

/** Reads no position where none is limited. */
export function createFindPositionFault(db: Executor, limits: PositionLimits): FindPositionFault {
  return async (changes) => {
    if (limits.max.size === 0) return null;
    const positions = await readPositions(db);
    return positionFault(limits, positions, changedPositions(positions, changes));
  };
}

/** Positions as they are after changes. */
function changedPositions(
  positions: PositionUnits,
  changes: readonly (readonly [CurrencyId, bigint])[],
): PositionUnits {
  const result = new Map(positions);
  for (const [id, units] of changes) result.set(id, (result.get(id) ?? 0n) + units);
  return result;
}
