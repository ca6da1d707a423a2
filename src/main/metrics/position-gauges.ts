import { Gauge, type Registry } from "prom-client";
import { type PositionUnits, readPositions } from "../../ledger/position.store.ts";
import type { Executor } from "../../platform/db/database.ts";

/** Gauges of the operator's positions from conversions and of their limits. */
export function positionGauges(
  registry: Registry,
  max: PositionUnits,
): (db: Executor) => Promise<void> {
  const gauge = (name: string, help: string): Gauge =>
    new Gauge({
      name: `sluice_conversion_position_${name}`,
      help,
      labelNames: ["currency"],
      registers: [registry],
    });
  const units = gauge("units", "The operator's position, smallest units; negative: owed");
  const limit = gauge("max_units", "How far it may go in either direction");
  for (const [currency, most] of max) limit.set({ currency }, Number(most));
  return async (db) => {
    units.reset();
    for (const currency of max.keys()) units.set({ currency }, 0);
    for (const [currency, position] of await readPositions(db))
      units.set({ currency }, Number(position));
  };
}
