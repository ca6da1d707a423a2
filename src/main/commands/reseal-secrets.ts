import type { SealedChange, SealedColumn, SealedValue } from "../../platform/db/sealed-column.ts";
import { InvariantViolation } from "../../platform/kernel/assert.ts";
import type { Foundation } from "../build/foundation.ts";
import { sealedColumns } from "../build/sealed-columns.ts";
import type { CommandContext } from "./command-context.ts";
import { withDeployment } from "./with-deployment.ts";

const defaultBatchSize = 500;
/** Rows named in the error if their values do not open. */
const namedAtMost = 5;

/**
 * `sluice reseal`: seals what older data keys have sealed again with the first one, in batches, and prints the count per
 * column. If it is interrupted, the next run continues. Values that no configured key opens stay as they are; then it rejects
 * at the end.
 */
export async function resealSecrets(
  configFile: string,
  context: CommandContext,
  batchSize = defaultBatchSize,
): Promise<void> {
  await withDeployment(configFile, context, async (foundation) => {
    const lost: string[] = [];
    for (const column of sealedColumns) {
      const { resealed, unopened } = await resealColumn(foundation, column, batchSize);
      context.print(`${column.name}: ${resealed} sealed again`);
      if (unopened.length > 0) lost.push(describeUnopened(column, unopened));
    }
    if (lost.length > 0)
      throw new Error(`no configured data key opens ${lost.join("; ")}: they stay as they are`);
  });
}

async function resealColumn(
  { db, seal }: Pick<Foundation, "db" | "seal">,
  column: SealedColumn,
  limit: number,
): Promise<{ readonly resealed: number; readonly unopened: readonly string[] }> {
  let resealed = 0;
  const unopened: string[] = [];
  let after: string | null = null;
  for (;;) {
    const [exceptHead] = seal.heads;
    const values: readonly SealedValue[] = await column.read(db, { exceptHead, after, limit });
    const changes: SealedChange[] = [];
    for (const { key, sealed: former } of values) {
      const plain = open(seal, former, column.context(key));
      if (plain === null) unopened.push(key);
      else changes.push({ key, former, sealed: seal.seal(plain, column.context(key)) });
    }
    resealed += await column.replace(db, changes);
    if (values.length < limit) return { resealed, unopened };
    after = values.at(-1)?.key ?? null;
  }
}

function open(seal: Foundation["seal"], sealed: Uint8Array, context: string): Uint8Array | null {
  try {
    return seal.open(sealed, context);
  } catch (error) {
    if (error instanceof InvariantViolation) return null;
    throw error;
  }
}

function describeUnopened({ name }: SealedColumn, keys: readonly string[]): string {
  const named = keys.slice(0, namedAtMost).join(", ");
  return `${keys.length} of ${name} (${named}${keys.length > namedAtMost ? ", ..." : ""})`;
}
