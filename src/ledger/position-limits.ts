import type { CurrencyRegistry } from "../currencies/registry.ts";
import type { Executor } from "../platform/db/database.ts";
import { maxBigInt } from "../platform/kernel/bigint-min-max.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { Rejected, type Rejection, rejection } from "../platform/kernel/rejection.ts";
import { lockPositions, type PositionUnits, readPositions } from "./position.store.ts";

/** The maximum size of the operator's position in either direction, by currency. */
export type PositionLimits = {
  readonly currencies: CurrencyRegistry;
  readonly max: PositionUnits;
};

/**
 * Runs `work` and rejects with feeUnavailable if it takes a position further beyond its limit. Conversions bounded by
 * a limit run one at a time, so two that fit only individually never both pass. A conversion that reduces a position
 * is never rejected.
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

/** The rejection of a change that takes a position further beyond its limit; null if it is allowed. Pure. */
function positionFault(
  { currencies, max }: PositionLimits,
  before: PositionUnits,
  after: PositionUnits,
): Rejection | null {
  for (const [id, limit] of max) {
    const reached = abs(after.get(id) ?? 0n);
    if (reached <= limit || reached <= abs(before.get(id) ?? 0n)) continue;
    const { alpha } = currencies.get(id);
    const detail = `Conversions of ${alpha} have reached the operator's limit. Try again later.`;
    return rejection("feeUnavailable", detail);
  }
  return null;
}

function abs(units: bigint): bigint {
  return maxBigInt(units, -units);
}

/** Whether these changes would be rejected now; null if they are allowed. */
export type FindPositionFault = (
  changes: readonly (readonly [CurrencyId, bigint])[],
) => Promise<Rejection | null>;

/** Reads no positions if there are no limits. */
export function createFindPositionFault(db: Executor, limits: PositionLimits): FindPositionFault {
  return async (changes) => {
    if (limits.max.size === 0) return null;
    const positions = await readPositions(db);
    return positionFault(limits, positions, changedPositions(positions, changes));
  };
}

/** The positions after the changes. */
function changedPositions(
  positions: PositionUnits,
  changes: readonly (readonly [CurrencyId, bigint])[],
): PositionUnits {
  const result = new Map(positions);
  for (const [id, units] of changes) result.set(id, (result.get(id) ?? 0n) + units);
  return result;
}
