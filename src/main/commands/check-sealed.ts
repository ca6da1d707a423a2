import type { Executor } from "../../platform/db/database.ts";
import type { SealedColumn } from "../../platform/db/sealed-column.ts";
import type { Seal } from "../../platform/kernel/seal.ts";
import type { World } from "../../platform/kernel/world.ts";
import { readDataKeySeal } from "../build/foundation.ts";
import { sealedColumns } from "../build/sealed-columns.ts";
import type { Config } from "../config/config.ts";
import { withCheckedDatabase } from "./check-database.ts";
import { examine, type Finding, type Found } from "./finding.ts";

/** How many values of each column are opened; a missing data key shows in the headers of all of them. */
const sampleSize = 100;

/** Checks that stored secrets can be opened, and how many of them older data keys have sealed. */
export function checkSealed(config: Config, world: World): Promise<Finding> {
  return examine("stored secrets", world.clock, async () => {
    const seal = await readDataKeySeal(config, world.random);
    return withCheckedDatabase(config, world.clock, (db) =>
      checkSealedColumns(db, seal, config.keys.data_key_files),
    );
  });
}

async function checkSealedColumns(
  db: Executor,
  seal: Seal,
  files: readonly string[],
): Promise<Found> {
  const counts = new Map<string, number>();
  for (const column of sealedColumns) {
    for (const [head, count] of await countKnown(db, seal, column)) {
      counts.set(head, (counts.get(head) ?? 0) + count);
    }
    await openSample(db, seal, column);
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const notes = files.slice(1).map((file, index) => {
    const count = counts.get(seal.heads[index + 1] ?? "") ?? 0;
    return count === 0
      ? `nothing stored is sealed by ${file} any more`
      : `${count} are sealed by the older ${file}: run \`sluice reseal\` before it is removed`;
  });
  return { detail: `${all}, the configured data keys open them`, notes };
}

/** Throws if the data key of some value in the column is missing. */
async function countKnown(
  db: Executor,
  { heads }: Seal,
  column: SealedColumn,
): Promise<ReadonlyMap<string, number>> {
  const counts = await column.countByHead(db, heads[0].length / 2);
  for (const [head, count] of counts) {
    if (!heads.includes(head))
      throw new Error(`no configured data key opens ${count} of ${column.name}`);
  }
  return counts;
}

async function openSample(db: Executor, seal: Seal, column: SealedColumn): Promise<void> {
  const sample = await column.read(db, { exceptHead: null, after: null, limit: sampleSize });
  for (const { key, sealed } of sample) {
    try {
      seal.open(sealed, column.context(key));
    } catch (error) {
      throw new Error(`the value of ${column.name} ${key} was altered`, { cause: error });
    }
  }
}
