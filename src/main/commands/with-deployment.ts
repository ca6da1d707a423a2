import { inspectDatabase } from "../../platform/db/inspect-database.ts";
import { createFoundation, type Foundation } from "../build/foundation.ts";
import { readConfig } from "../config/read-config.ts";
import type { CommandContext } from "./command-context.ts";
import { withReadableErrors } from "./readable-errors.ts";

/**
 * Connects to a deployment by its configuration file while `work` runs. Rejects with `ConfigFault` for a faulty file, and when
 * the database is unreachable or has an older schema.
 */
export async function withDeployment<Result>(
  configFile: string,
  context: CommandContext,
  work: (foundation: Foundation) => Promise<Result>,
): Promise<Result> {
  const config = await readConfig(configFile);
  const { pending } = await inspectDatabase(config.database.url);
  if (pending.length > 0)
    throw new Error("the database schema is outdated: run `sluice migrate` first");
  const foundation = await createFoundation(config, context, "cli");
  try {
    return await withReadableErrors(() => work(foundation));
  } finally {
    await foundation.db.close();
  }
}
