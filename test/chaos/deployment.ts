import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultPeopleSettings } from "../../src/accounts/people/context.ts";
import { defaultPasswordHashing } from "../../src/accounts/tokens/password-hash.ts";
import { createApprovalKeyFiles } from "../../src/main/build/approval-keys.ts";
import { createFoundation } from "../../src/main/build/foundation.ts";
import { type Config, configSchema } from "../../src/main/config/config.ts";
import { sandboxConfig } from "../../src/main/config/sandbox-config.ts";
import { Teardown } from "../../src/main/processes/teardown.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { storedSecret } from "../../src/platform/processes/stored-secret.ts";
import {
  type SupervisedProcess,
  startSupervised,
} from "../../src/platform/processes/supervised-process.ts";
import { type DemoAccounts, ensureDemoAccounts } from "../../src/sandbox/demo-accounts.ts";
import { startRateServer } from "../../src/sandbox/rate-server.ts";
import type { SandboxChain } from "../../src/sandbox/sandbox-file.ts";
import { startScreeningServer } from "../../src/sandbox/screening-server.ts";
import { createKeystore } from "../../src/signer/keys/keystore.ts";
import { quietPort } from "../scenarios/support/quiet-port.ts";
import { assets } from "./assets.ts";
import type { ChaosChain } from "./chains/chaos-chain.ts";
import { openChains } from "./chains/open-chains.ts";
import { type DatabasePart, databasePart } from "./database-part.ts";
import type { ChaosOptions } from "./options.ts";
import { type Part, startPatiently } from "./part.ts";
import { programPart } from "./program-part.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };

/** The lowest valid cost: nothing attacks this keystore. */
const keyCost = { memoryKib: 8_192, passes: 1, threads: 1 };

/** The fraction of deliveries that the receiver answers with 500. */
const receiverFailures = 0.05;

export type Deployment = {
  readonly parts: readonly Part[];
  readonly configFile: string;
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly account: DemoAccounts;
  /** Those whose programs are installed. */
  readonly chains: readonly ChaosChain[];
  /** How payers reach them. */
  readonly sites: Readonly<Record<string, SandboxChain>>;
  /** The signer's record of signatures, written before anyone else knows of them. */
  readonly signedJournal: string;
  readonly receiverUrl: string;
  /** The receiver's record of deliveries. */
  readonly deliveries: string;
  /** Processes of the service that ended without being killed. */
  readonly ownEnds: readonly string[];
  readonly stop: () => Promise<void>;
};

export type DeploymentOptions = Pick<ChaosOptions, "folder" | "chains" | "print"> & {
  /** A server that is not yet started; absent: one of the deployment's own. */
  readonly database?: DatabasePart;
  /** Members of the configuration that differ. */
  readonly adjust?: (config: Config) => Partial<Config>;
};

/** Starts a whole deployment below `folder`, each process by itself. If a later step fails, everything started is stopped. */
export async function startDeployment(options: DeploymentOptions): Promise<Deployment> {
  const { folder, chains, print } = options;
  const teardown = new Teardown(world.logger);
  try {
    return await startParts(options, await openChains(chains, folder, print), teardown);
  } catch (error) {
    await teardown.run();
    throw error;
  }
}

async function startParts(
  { folder, database: given, adjust }: DeploymentOptions,
  chains: readonly ChaosChain[],
  teardown: Teardown,
): Promise<Deployment> {
  await mkdir(join(folder, "logs"), { recursive: true });
  const database =
    given ?? databasePart({ folder: join(folder, "postgres"), port: await quietPort() });
  const start = async (part: Part): Promise<void> => {
    teardown.add(part.name, part.stop);
    await startPatiently(part.start, () => undefined);
  };
  const deliveries = join(folder, "deliveries.jsonl");
  const [rates, screening, receiver, opened] = await Promise.all([
    teardown.track("rates", startRateServer(), (server) => server.close()),
    teardown.track("screening", startScreeningServer(), (server) => server.close()),
    startReceiver(deliveries, teardown),
    Promise.all(
      chains.map(async ({ chain, part, prepare }) => {
        await start(part);
        return [chain, await prepare()] as const;
      }),
    ),
    start(database).then(() => migrate(database.url, systemClock)),
    writeKeys(folder),
  ]);
  const sites: Readonly<Record<string, SandboxChain>> = Object.fromEntries(opened);
  const usual = chaosConfig({
    home: folder,
    host: "127.0.0.1",
    port: await quietPort(),
    databaseUrl: database.url,
    chains: sites,
    unselected: [],
    rateSources: rates.sources,
    screeningUrl: screening.url,
    mail: null,
  });
  const config = configSchema.parse({ ...usual, ...adjust?.(usual) });
  const configFile = join(folder, "config.json");
  await writeFile(configFile, JSON.stringify(config, null, 2), { mode: 0o600 });
  await createApprovalKeyFiles(config, systemRandom);
  const account = await openAccount(config, folder);

  const ownEnds: string[] = [];
  const site = {
    configFile,
    logFolder: join(folder, "logs"),
    onOwnEnd: (what: string) => {
      ownEnds.push(what);
    },
  };
  const programs = [
    programPart(site, "signer", "signer", "signer is listening"),
    programPart(site, "worker", "worker-1", "worker is running"),
    programPart(site, "worker", "worker-2", "worker is running"),
    programPart(site, "api", "api", "api is listening"),
  ];
  for (const program of programs) await start(program);
  return {
    configFile,
    parts: [...programs, database, ...chains.map(({ part }) => part)],
    baseUrl: config.base_url,
    databaseUrl: database.url,
    account,
    chains,
    sites,
    receiverUrl: receiver,
    deliveries,
    ownEnds,
    signedJournal: join(folder, "signer", "spends.journal"),
    stop: () => teardown.run(),
  };
}

/** A merchant's server that records deliveries in `file`; resolves with its callback URL. */
export async function startReceiver(file: string, teardown: Teardown): Promise<string> {
  const receiver: SupervisedProcess = startSupervised(
    process.execPath,
    [join(import.meta.dirname, "receiver-process.ts"), file, "0", String(receiverFailures)],
    {},
  );
  teardown.add("receiver", () => receiver.end(systemClock, 5_000));
  const port = await receiver.printed(/listening on (\d+)/);
  return `http://127.0.0.1:${port}/callback`;
}

/** The sandbox's settings, with leases short enough that the next worker takes over within a round or two. */
function chaosConfig(site: Parameters<typeof sandboxConfig>[0]) {
  const config = sandboxConfig(site);
  return configSchema.parse({
    ...config,
    currencies: assets
      .filter(({ chain }) => chain in site.chains)
      .map(({ alpha, confirmations }) => {
        const known = config.currencies.find(({ currency }) => currency === alpha);
        return { ...known, currency: alpha, confirmation_blocks: confirmations };
      }),
    callbacks: { ...config.callbacks, retry_seconds: [1, 1, 2, 2, 3, 3, 5, 5, 10, 10, 30] },
    throttle: { read: 1_000_000, create: 1_000_000, calculate: 1_000_000, token: 1_000_000 },
    // Few, so that the pools are refilled all the time.
    deposits: { ...config.deposits, addresses_ahead: 40 },
    worker: { host: "127.0.0.1", port: 0, lease_seconds: 2 },
    log: { level: "info" },
  });
}

async function writeKeys(folder: string): Promise<void> {
  const dataKey = Buffer.from(systemRandom.bytes(32)).toString("hex");
  await writeFile(join(folder, "data.key"), `${dataKey}\n`, { mode: 0o600 });
  const passphrase = await storedSecret(join(folder, "passphrase"), systemRandom);
  await mkdir(join(folder, "signer"), { mode: 0o700 });
  await createKeystore({
    path: join(folder, "signer", "keystore.json"),
    passphrase: Buffer.from(passphrase),
    random: systemRandom,
    cost: keyCost,
  });
}

async function openAccount(
  config: ReturnType<typeof chaosConfig>,
  folder: string,
): Promise<DemoAccounts> {
  const foundation = await createFoundation(config, world, "cli");
  try {
    return await ensureDemoAccounts(
      { ...foundation, passwordHashing: defaultPasswordHashing, people: defaultPeopleSettings },
      join(folder, "demo.json"),
      foundation.currencies.all.filter(
        ({ chain, kind, token }) =>
          chain !== null &&
          foundation.enabledChains.has(chain) &&
          (kind === "coin" || token !== null),
      ),
    );
  } finally {
    await foundation.db.close();
  }
}
