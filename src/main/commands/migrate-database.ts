import { migrate } from "../../platform/db/migrate.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { readConfig } from "../config/read-config.ts";

/** `sluice migrate`: migrates the database to the newest schema and prints what was applied. */
export async function migrateDatabase(
  configFile: string,
  print: (line: string) => void,
): Promise<void> {
  const config = await readConfig(configFile);
  const applied = await migrate(config.database.url, systemClock, {
    onWait: (name, reason) => {
      print(`${name} waits for other transactions: ${reason}`);
    },
  });
  print(applied.length === 0 ? "the schema is up to date" : `applied ${applied.join(", ")}`);
}
