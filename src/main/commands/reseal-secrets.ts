import type { SealedChange, SealedColumn, SealedValue } from "../../platform/db/sealed-column.ts";
import { InvariantViolation } from "../../platform/kernel/assert.ts";
import type { Foundation } from "../build/foundation.ts";
import { sealedColumns } from "../build/sealed-columns.ts";
import type { CommandContext } from "./command-context.ts";
import { useDeployment } from "./use-deployment.ts";

const defaultBatchSize = 500;
/** Keys of rows that are named when their values do not open. */
const namedAtMost = 5;

/**
 * `sluice reseal`: seals by the first data key what older ones have sealed, batch by batch, and prints how many values of each
 * column. Stopped at any moment it goes on where it was when it is run again. What opens by no configured key stays as
 * it is; rejects at the end then.
 */
export async function resealSecrets(
  configFile: string,
  context: CommandContext,
  batchSize = defaultBatchSize,
): Promise<void> {
  await useDeployment(configFile, context, async (foundation) => {
    const lost: string[] = [];
    for (const column of sealedColumns) {
      const { resealed, unopened } = await resealColumn(foundation, column, batchSize);
      context.print(`${column.name}: ${resealed} sealed anew`);
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
