import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "../../src/platform/db/embedded.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { createDistributedTemplate } from "./distributed-template.ts";

declare module "vitest" {
  export interface ProvidedContext {
    databaseUrl: string;
    /** Of the servers that hold a part of each test database: the workers first, the coordinator last. */
    databaseNodes: readonly string[];
  }
}

/**
 * One PostgreSQL for the whole run, or the one at `SLUICE_TEST_DATABASE` for several runs, or the coordinator of Citus at
 * `SLUICE_CITUS_URL`; each test file clones the migrated database (see `database.ts`).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = process.env["SLUICE_TEST_DATABASE"];
  if (shared !== undefined) {
    project.provide("databaseUrl", shared);
    project.provide("databaseNodes", [shared]);
    return () => Promise.resolve();
  }
  const coordinator = process.env["SLUICE_CITUS_URL"];
  if (coordinator !== undefined) {
    const nodes = await createDistributedTemplate(coordinator);
    project.provide("databaseUrl", nodes.at(-1) ?? "");
    project.provide("databaseNodes", nodes);
    return () => Promise.resolve();
  }
  const folder = await mkdtemp(join(tmpdir(), "sluice-test-"));
  await chmod(folder, 0o755);
  const server = await startEmbedded({
    folder,
    password: "test",
    clock: systemClock,
    // Test data need not survive a power failure; `embedded.test.ts` shows that a shop's data does.
    settings: ["max_connections=300", "fsync=off", "full_page_writes=off"].flatMap((setting) => [
      "-c",
      setting,
    ]),
  });
  await migrate(server.url, systemClock, { runChecks: true });
  project.provide("databaseUrl", server.url);
  project.provide("databaseNodes", [server.url]);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
