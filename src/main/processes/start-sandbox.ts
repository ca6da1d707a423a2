import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Route } from "../../http/server/route.ts";
import { receivedMailRoute } from "../../http/simulator/received-mail.ts";
import { simulatorRoutes } from "../../http/simulator/simulator.ts";
import { startEmbedded } from "../../platform/db/embedded.ts";
import { migrate } from "../../platform/db/migrate.ts";
import { endLeases } from "../../platform/jobs/end-leases.store.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { World } from "../../platform/kernel/world.ts";
import { takeProcessLock } from "../../platform/processes/process-lock.ts";
import { storedSecret } from "../../platform/processes/stored-secret.ts";
import { writeAtomically } from "../../platform/processes/write-atomically.ts";
import { type MailServer, startMailServer } from "../../sandbox/mail-server.ts";
import { startRateServer } from "../../sandbox/rate-server.ts";
import { requireFreeAddress } from "../../sandbox/require-free-address.ts";
import {
  removeSandboxFile,
  type SandboxFile,
  sandboxConfigPath,
  writeSandboxFile,
} from "../../sandbox/sandbox-file.ts";
import { startScreeningServer } from "../../sandbox/screening-server.ts";
import { createApprovalKeyFiles, readApprovalKeyFiles } from "../build/approval-keys.ts";
import { buildApi } from "../build/build-api.ts";
import { connectSigner } from "../build/connect-signer.ts";
import { createFoundation, type Foundation } from "../build/foundation.ts";
import { createSandboxSimulator } from "../build/sandbox-simulator.ts";
import { signerSettings } from "../build/signer-settings.ts";
import { sandboxConfig } from "../config/sandbox-config.ts";
import { expectedSeries } from "../metrics/expected-series.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { openDemoAccounts, sandboxFileOf } from "./describe-sandbox.ts";
import { runWorker } from "./run-worker.ts";
import { sandboxKeyCost, writeKeys } from "./sandbox-keys.ts";
import { watchClock } from "./start-process.ts";
import { selectChains, startSandboxChains } from "./start-sandbox-chains.ts";
import { startSigner } from "./start-signer.ts";
import { supervise } from "./supervise.ts";
import { Teardown } from "./teardown.ts";
import { untilUsable } from "./until-usable.ts";

export type SandboxOptions = {
  readonly home: string;
  readonly host: string;
  readonly port: number;
  /** The value of `SLUICE_CHAINS`; null: a few chains. */
  readonly chains: string | null;
  /** Null: the embedded PostgreSQL, with its data in `home`. */
  readonly databaseUrl: string | null;
};

export type Sandbox = {
  readonly file: SandboxFile;
  readonly missing: readonly { readonly chain: string; readonly reason: string }[];
  /** Resolves with the reason when a part ends unexpectedly. */
  readonly failed: Promise<string>;
  readonly stop: () => Promise<void>;
};

/**
 * Starts a complete deployment on private chains with demo accounts in this process (the signer in a child), and writes
 * `sandbox.json` when everything is ready. When a step fails, the parts already started are stopped.
 */
export async function startSandbox(options: SandboxOptions, world: World): Promise<Sandbox> {
  const { home } = options;
  await mkdir(home, { recursive: true, mode: 0o700 });
  const teardown = new Teardown(world.logger);
  try {
    const lock = takeProcessLock(join(home, "lock"));
    teardown.add("lock", () => {
      lock.release();
    });
    await removeSandboxFile(home);
    teardown.add("sandbox file", () => removeSandboxFile(home));
    await requireFreeAddress(options.host, options.port);
    return await startParts(options, world, teardown);
  } catch (error) {
    await teardown.run();
    throw error;
  }
}

async function startParts(
  options: SandboxOptions,
  world: World,
  teardown: Teardown,
): Promise<Sandbox> {
  const { home } = options;
  const selected = selectChains(options.chains);
  const [database, chains, rates, screening, mail] = await Promise.all([
    openDatabase(options, world, teardown),
    teardown.track("chains", startSandboxChains(home, selected, world), (started) =>
      started.stop(),
    ),
    teardown.track("rates", startRateServer(), (server) => server.close()),
    teardown.track("screening", startScreeningServer(), (server) => server.close()),
    teardown.track("mail server", startMailServer(world.clock), (server) => server.close()),
    writeKeys(home, world),
  ]);
  const config = sandboxConfig({
    ...options,
    databaseUrl: database.url,
    chains: chains.chains,
    unselected: chains.unselected,
    rateSources: rates.sources,
    screeningUrl: screening.url,
    mail: { host: mail.host, port: mail.port },
  });
  await writeAtomically(sandboxConfigPath(home), `${JSON.stringify(config, null, 2)}\n`);
  await createApprovalKeyFiles(config, world.random);
  const signerSite = signerSettings(config, sandboxKeyCost, {
    approvalKeys: await readApprovalKeyFiles(config),
  });
  const [signer] = await Promise.all([
    teardown.track(
      "signer",
      supervise("the signer", () => startSigner(signerSite), world),
      (kept) => kept.stop(),
    ),
    migrate(database.url, world.clock),
  ]);
  const foundation = await createFoundation(config, world, "api");
  teardown.add("database connections", () => foundation.db.close());
  // One sandbox runs per folder, so the holders of all leases were killed.
  await endLeases(foundation.db, foundation.clock.now());
  const demo = await openDemoAccounts(foundation, home);
  const simulator = await createSandboxSimulator(
    foundation,
    { home, demo, chains: chains.chains },
    teardown,
  );
  const mailbox = showMail(mail, config.base_url, world);
  const routes = [...simulatorRoutes(simulator), mailbox.route];
  const worker = await startService(foundation, teardown, chains.chains, routes);
  const described = sandboxFileOf(demo, config.base_url, chains.chains, foundation);
  const file = { ...described, mail_url: mailbox.url };
  await writeSandboxFile(home, file);
  world.logger.info("sandbox is ready", { base_url: config.base_url });
  return {
    file,
    missing: chains.missing,
    failed: Promise.race([
      chains.failed,
      signer.failed,
      worker.ended,
      database.ended.then(() => "the database has ended"),
    ]),
    stop: () => teardown.run(),
  };
}

/** The address at which the api shows the received emails; it contains a random key. */
function showMail(mail: MailServer, baseUrl: string, { random }: World) {
  const key = Buffer.from(random.bytes(16)).toString("hex");
  return {
    url: `${baseUrl}/sandbox/mail/${key}/`,
    route: receivedMailRoute(key, mail.received),
  };
}

/** Api and worker; resolves when both are ready, with the promise of the worker's failure. */
async function startService(
  foundation: Foundation,
  teardown: Teardown,
  chains: SandboxFile["chains"],
  sandboxRoutes: readonly Route[],
): Promise<{ readonly ended: Promise<string> }> {
  const { config, clock, logger } = foundation;
  await watchClock(foundation.clockGuard, teardown);
  const metrics = createMetrics(
    foundation.db,
    clock,
    foundation.clockGuard,
    expectedSeries(foundation),
  );
  const api = await buildApi(foundation, metrics, sandboxRoutes);
  teardown.add("api", () => api.close());
  const signer = metrics.measureSigner(await connectSigner(config, clock, logger));
  teardown.add("signer connection", () => {
    signer.close();
  });
  const stopWorker = new AbortController();
  const worker = runWorker(foundation, metrics, signer, stopWorker.signal);
  teardown.add("worker", async () => {
    stopWorker.abort();
    await worker;
  });
  await Promise.race([untilUsable(foundation, chains, stopWorker.signal), worker]);
  await api.listen({ host: config.listen.host, port: config.listen.port });
  return {
    ended: worker.then(
      () => "the worker has ended",
      (error: unknown) => `the worker has failed: ${errorMessage(error)}`,
    ),
  };
}

/** The given database, or the embedded one; `ended` resolves when the embedded one has ended. */
async function openDatabase(
  options: SandboxOptions,
  world: World,
  teardown: Teardown,
): Promise<{ readonly url: string; readonly ended: Promise<void> }> {
  if (options.databaseUrl !== null) {
    return { url: options.databaseUrl, ended: new Promise(() => undefined) };
  }
  const password = await storedSecret(join(options.home, "database-password"), world.random);
  return teardown.track(
    "database",
    startEmbedded({ folder: join(options.home, "postgres"), password, clock: world.clock }),
    (started) => started.stop(),
  );
}
