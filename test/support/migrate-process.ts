import { readFileSync } from "node:fs";
import type { Migration } from "../../src/platform/db/apply-migration.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";

/* Migrates the database $1 with the migrations in the JSON file $2, until it is killed. */

const [url = "", file = ""] = process.argv.slice(2);
const migrations = JSON.parse(readFileSync(file, "utf8")) as readonly Migration[];
await migrate(url, systemClock, { migrations });
