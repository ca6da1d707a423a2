import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { Teardown } from "../../src/main/processes/teardown.ts";
import { admission } from "../../src/platform/db/admission.ts";
import { startEmbedded } from "../../src/platform/db/embedded.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";

/** The environment of one bench run: its own folder and PostgreSQL, removed afterwards. */
export type BenchSite = {
  readonly folder: string;
  /** Stops what sections started and did not stop themselves, newest first. */
  readonly teardown: Teardown;
  /** Creates a database with the newest schema; returns its URL. */
  readonly createDatabase: (name: string) => Promise<string>;
  readonly sql: (url: string, text: string, values?: readonly unknown[]) => Promise<unknown[]>;
};

/** Uses the product's embedded database with the sandbox's settings: fsync and synchronous commit on. */
export async function openSite(): Promise<BenchSite> {
  const teardown = new Teardown(silentLogger);
  const folder = await mkdtemp(join(tmpdir(), "sluice-bench-"));
  teardown.add("folder", () => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const server = await startEmbedded({
    folder: join(folder, "postgres"),
    password: "bench",
    clock: systemClock,
  }).catch(async (error: unknown) => {
    await teardown.run();
    throw error;
  });
  teardown.add("database", () => server.stop());
  return {
    folder,
    teardown,
    createDatabase: async (name) => {
      await runSql(server.url.replace(/\/sluice$/, "/postgres"), `create database ${name}`);
      const url = server.url.replace(/\/sluice$/, `/${name}`);
      await migrate(url, systemClock);
      // As a worker does after confirming that this is the newest copy.
      await runSql(url, `update database_mark set ${admission}`);
      return url;
    },
    sql: runSql,
  };
}

async function runSql(url: string, text: string, values: readonly unknown[] = []) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(text, [...values]);
    return rows as unknown[];
  } finally {
    await client.end();
  }
}
