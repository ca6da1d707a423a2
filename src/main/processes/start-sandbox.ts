import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { defaultPeopleSettings } from "../../accounts/people/context.ts";
import { defaultPasswordHashing } from "../../accounts/tokens/password-hash.ts";
import { type Currency, isPayable } from "../../currencies/currency.ts";
import { simulatorRoutes } from "../../http/simulator/simulator.ts";
import { startEmbedded } from "../../platform/db/embedded.ts";
import { migrate } from "../../platform/db/migrate.ts";
import { endLeases } from "../../platform/jobs/end-leases.store.ts";
import { present } from "../../platform/kernel/assert.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { World } from "../../platform/kernel/world.ts";
import { takeProcessLock } from "../../platform/processes/process-lock.ts";
import { storedSecret } from "../../platform/processes/stored-secret.ts";
import { createAtomically, writeAtomically } from "../../platform/processes/write-atomically.ts";
import { checkSystem } from "../../reports/operations/check-readiness.ts";
import { readPools, readUnfunded } from "../../reports/operations/operations.store.ts";
import { type DemoAccounts, ensureDemoAccounts } from "../../sandbox/demo-accounts.ts";
import { type FundedChain, fundTreasury } from "../../sandbox/fund-treasury.ts";
import { startRateServer } from "../../sandbox/rate-server.ts";
import { requireFreeAddress } from "../../sandbox/require-free-address.ts";
import {
  removeSandboxFile,
  type SandboxChain,
  type SandboxFile,
  type SandboxWallet,
  sandboxConfigPath,
  writeSandboxFile,
} from "../../sandbox/sandbox-file.ts";
import { startScreeningServer } from "../../sandbox/screening-server.ts";
import type { Simulator } from "../../sandbox/simulator.ts";
import type { KeyDerivationCost } from "../../signer/keys/keystore.ts";
import { createApprovalKeyFiles, readApprovalKeyFiles } from "../build/approval-keys.ts";
import { buildApi } from "../build/build-api.ts";
import { connectSigner } from "../build/connect-signer.ts";
import { createFoundation, type Foundation } from "../build/foundation.ts";
import { createSandboxSimulator } from "../build/sandbox-simulator.ts";
import { signerSettings } from "../build/signer-settings.ts";
import type { Config } from "../config/config.ts";
import { positionLimits } from "../config/position-limits.ts";
import { sandboxConfig } from "../config/sandbox-config.ts";
import { familyOf } from "../families/families.ts";
import { openFaucet, sandboxFamilyOf } from "../families/sandbox-families.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { runWorker } from "./run-worker.ts";
import { watchClock } from "./start-process.ts";
import { selectChains, startSandboxChains } from "./start-sandbox-chains.ts";
import { startSigner } from "./start-signer.ts";
import { supervise } from "./supervise.ts";
import { Teardown } from "./teardown.ts";

export type SandboxOptions = {
  readonly home: string;
  readonly host: string;
  readonly port: number;
  /** The value of `SLUICE_CHAINS`; null: a few chains. */
  readonly chains: string | null;
  /** Null: the embedded PostgreSQL, with its data in `home`. */
  readonly databaseUrl: string | null;
};

/** The passphrase is random and stored beside the keystore, so a costly derivation would protect nothing. */
const sandboxKeyCost: KeyDerivationCost = { memoryKib: 8_192, passes: 1, threads: 1 };

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
  const [database, chains, rates, screening] = await Promise.all([
    openDatabase(options, world, teardown),
    teardown.track("chains", startSandboxChains(home, selected, world), (started) =>
      started.stop(),
    ),
    teardown.track("rates", startRateServer(), (server) => server.close()),
    teardown.track("screening", startScreeningServer(), (server) => server.close()),
    writeKeys(home, world),
  ]);
  const config = sandboxConfig({
    ...options,
    databaseUrl: database.url,
    chains: chains.chains,
    unselected: chains.unselected,
    rateSources: rates.sources,
    screeningUrl: screening.url,
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
  const demo = await ensureDemoAccounts(
    {
      ...foundation,
      passwordHashing: defaultPasswordHashing,
      people: defaultPeopleSettings,
    },
    join(home, "demo.json"),
    payableCurrencies(foundation),
  );
  const simulator = await createSandboxSimulator(
    foundation,
    { home, demo, chains: chains.chains },
    teardown,
  );
  const worker = await startService(foundation, teardown, chains.chains, simulator);
  const file = sandboxFileOf(demo, config.base_url, chains.chains, foundation);
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

/** Api and worker; resolves when both are ready, with the promise of the worker's failure. */
async function startService(
  foundation: Foundation,
  teardown: Teardown,
  chains: SandboxFile["chains"],
  simulator: Simulator,
): Promise<{ readonly ended: Promise<string> }> {
  const { config, clock } = foundation;
  await watchClock(foundation.clockGuard, teardown);
  const metrics = createMetrics(
    foundation.db,
    clock,
    foundation.clockGuard,
    positionLimits(foundation.config, foundation.currencies).max,
  );
  const api = buildApi(foundation, metrics, simulatorRoutes(simulator));
  teardown.add("api", () => api.close());
  const signer = metrics.measureSigner(await connectSigner(config, clock));
  teardown.add("signer connection", () => {
    signer.close();
  });
  const stopWorker = new AbortController();
  const worker = runWorker(foundation, metrics, signer, stopWorker.signal);
  teardown.add("worker", async () => {
    stopWorker.abort();
    await worker;
  });
  const ready = async (): Promise<void> => {
    await waitUntilServing(foundation, stopWorker.signal);
    await payFloats(foundation, chains, stopWorker.signal);
    await waitForAddresses(foundation, stopWorker.signal);
  };
  await Promise.race([ready(), worker]);
  await api.listen({ host: config.listen.host, port: config.listen.port });
  return {
    ended: worker.then(
      () => "the worker has ended",
      (error: unknown) => `the worker has failed: ${errorMessage(error)}`,
    ),
  };
}

/** Funds our own accounts at the first start, until the funds are booked and deep enough to pay with. */
async function payFloats(
  foundation: Foundation,
  chains: SandboxFile["chains"],
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = foundation;
  const keyspaces = Object.keys(chains).map((chain) => ({
    chain,
    keyspace: familyOf(chain).keyspace.name,
  }));
  const unfunded = await readUnfunded(db, keyspaces);
  if (unfunded.length === 0) return;
  await fundTreasury(unfunded, (chain) =>
    fundedChain(chain, present(chains[chain], `sandbox of ${chain}`), foundation),
  );
  while (!signal.aborted && (await readUnfunded(db, keyspaces)).length > 0)
    await clock.sleep(readyPollMs, signal);
  await waitUntilServing(foundation, signal);
}

/** What the sandbox can pay: coins and tokens of the running chains. */
function payableCurrencies({ currencies, enabledChains }: Foundation): readonly Currency[] {
  return currencies.all.filter(
    (currency) =>
      currency.chain !== null && enabledChains.has(currency.chain) && isPayable(currency),
  );
}

/** Without the wallets of chains that ran at an earlier start and were not selected this time. */
function sandboxFileOf(
  demo: DemoAccounts,
  baseUrl: string,
  chains: SandboxFile["chains"],
  { currencies, enabledChains }: Pick<Foundation, "currencies" | "enabledChains">,
): SandboxFile {
  const { other_account } = demo;
  const isUsable = ({ currency }: Pick<SandboxWallet, "currency">): boolean => {
    const { chain } = currencies.get(currency);
    return chain === null || enabledChains.has(chain);
  };
  return {
    base_url: baseUrl,
    login: demo.login,
    password: demo.password,
    webhook_secret: demo.webhook_secret,
    dashboard: demo.dashboard,
    users: demo.users,
    other_account: {
      login: other_account.login,
      password: other_account.password,
      wallets: other_account.wallets
        .filter(isUsable)
        .map(({ id, type, currency }) => ({ id, type, currency })),
    },
    wallets: demo.wallets.filter(isUsable),
    chains,
    metrics_url: `${baseUrl}/metrics`,
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

/** Data key and passphrase of this sandbox, created at the first start. */
async function writeKeys(home: string, { random }: World): Promise<void> {
  const dataKeyFile = join(home, "data.key");
  if (!existsSync(dataKeyFile)) {
    await createAtomically(dataKeyFile, `${Buffer.from(random.bytes(32)).toString("hex")}\n`);
  }
  await storedSecret(join(home, "passphrase"), random);
}

const readyPollMs = 50;

/** Waits until deposits and payouts are accepted, chains are read to their tips, and prices are present. */
async function waitUntilServing(foundation: Foundation, signal: AbortSignal): Promise<void> {
  const dollar = present(foundation.currencies.byAlpha("USD"), "the dollar");
  const coins = payableCurrencies(foundation).filter(({ kind }) => kind === "coin");
  while (!signal.aborted) {
    const [readiness, ...rates] = await Promise.all([
      checkSystem(foundation),
      ...coins.map(({ id }) => foundation.findRate(id, dollar.id)),
    ]);
    const isPriced = rates.every((rate) => rate !== null);
    if (readiness.ready && isPriced) return;
    await foundation.clock.sleep(readyPollMs, signal);
  }
}

/** Waits until an address of each kind is ready. Accounts that deposits share must have money before. */
async function waitForAddresses(
  { config, clock, db }: Foundation,
  signal: AbortSignal,
): Promise<void> {
  const needed = poolsNeeded(config);
  while (!signal.aborted && (await readPools(db)).length < needed)
    await clock.sleep(readyPollMs, signal);
}

/** One pool for each address type of each keyspace, unless all types spell one address. */
function poolsNeeded(config: Config): number {
  const counts = new Map(
    Object.keys(config.chains).map((chain) => {
      const { name, addressTypes, pooledAs } = familyOf(chain).keyspace;
      return [name, pooledAs === undefined ? Math.max(1, addressTypes.length) : 1];
    }),
  );
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** A running chain, for the funds of our own accounts. */
function fundedChain(
  chain: string,
  reached: SandboxChain,
  { currencies, ...world }: Pick<Foundation, "currencies"> & World,
): FundedChain {
  const counts = currencies.onChain(chain).map(({ confirmationBlocks }) => confirmationBlocks);
  return {
    openFaucet: () => openFaucet(chain, reached, world),
    floats: sandboxFamilyOf(chain).floats(reached),
    confirmations: Math.max(...counts),
  };
}
