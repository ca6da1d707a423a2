import { migrate } from "../../platform/db/migrate.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { readConfig } from "../config/read-config.ts";

/** `sluice migrate`: migrates the database to the newest schema, distributes it if asked to, and prints what was applied. */
export async function migrateDatabase(
  configFile: string,
  { isDistributed }: { readonly isDistributed: boolean },
  print: (line: string) => void,
): Promise<void> {
  const config = await readConfig(configFile);
  const applied = await migrate(config.database.url, systemClock, {
    isDistributed,
    onWait: (name, reason) => {
      print(`${name} waits for other transactions: ${reason}`);
    },
  });
  print(applied.length === 0 ? "the schema is up to date" : `applied ${applied.join(", ")}`);
}
