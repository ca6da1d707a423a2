import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { readSandboxFile, sandboxFilePath } from "../../../src/sandbox/sandbox-file.ts";
import type { Deployment } from "./deployment.ts";
import { descendantsOf, stillRunning } from "./process-family.ts";
import { quietPort } from "./quiet-port.ts";
import { leftovers, startSluice } from "./run-sluice.ts";

const stopPatienceMs = 120_000;

/**
 * `npm start` on a fresh machine: everything in one command, in its own folder and on its own port. `more` is added to its
 * environment.
 */
export async function startSandboxDeployment(
  more: Readonly<Record<string, string>> = {},
): Promise<Deployment> {
  const home = await mkdtemp(join(tmpdir(), "sluice-scenario-"));
  const logFile = `${home}.log`;
  const sandbox = startSluice(logFile, ["start"], {
    SLUICE_HOME: home,
    SLUICE_PORT: String(await quietPort()),
    ...more,
  });
  await sandbox.printed(/(Ready)\./);
  const { base_url, login, password, dashboard, webhook_secret, other_account, chains } =
    await readSandboxFile(home);
  const databaseUrl = await databaseOf(home);
  return {
    apis: [base_url],
    owner: { login, password, dashboard, webhookSecret: webhook_secret },
    other: other_account,
    databaseUrl,
    configFile: join(home, "config.json"),
    chains,
    nodes: null,
    signer: null,
    stop: async () => {
      const started = await descendantsOf(sandbox.pid);
      await sandbox.end(systemClock, stopPatienceMs);
      // By its processes, because another sandbox that starts just now may have been given a port of this one.
      const left = [
        ...(await leftovers(home, [])),
        ...(await stillRunning(started)).map(({ pid }) => `still running: process ${pid}`),
      ];
      if (existsSync(sandboxFilePath(home))) throw new Error("sandbox.json stayed behind");
      if (left.length > 0) throw new Error(left.join("\n"));
      await rm(home, { recursive: true, force: true });
      await rm(logFile, { force: true });
    },
  };
}

async function databaseOf(home: string): Promise<string> {
  const config = JSON.parse(await readFile(join(home, "config.json"), "utf8")) as {
    readonly database: { readonly url: string };
  };
  return config.database.url;
}
