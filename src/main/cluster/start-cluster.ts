import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../platform/db/migrate.ts";
import type { World } from "../../platform/kernel/world.ts";
import { takeProcessLock } from "../../platform/processes/process-lock.ts";
import { storedSecret } from "../../platform/processes/stored-secret.ts";
import { writeAtomically } from "../../platform/processes/write-atomically.ts";
import { type ClusterFile, removeClusterFile } from "../../sandbox/cluster-file.ts";
import { startMailbox } from "../../sandbox/mailbox.ts";
import { startRateServer } from "../../sandbox/rate-server.ts";
import { requireFreeAddress } from "../../sandbox/require-free-address.ts";
import { type SandboxFile, sandboxConfigPath } from "../../sandbox/sandbox-file.ts";
import { startScreeningServer } from "../../sandbox/screening-server.ts";
import { createApprovalKeyFiles } from "../build/approval-keys.ts";
import { createFoundation } from "../build/foundation.ts";
import { type Config, configSchema } from "../config/config.ts";
import { sandboxConfig } from "../config/sandbox-config.ts";
import { openDemoAccounts, sandboxFileOf } from "../processes/describe-sandbox.ts";
import { writeKeys } from "../processes/sandbox-keys.ts";
import {
  type SandboxChains,
  selectChains,
  startSandboxChains,
} from "../processes/start-sandbox-chains.ts";
import { Teardown } from "../processes/teardown.ts";
import { untilUsable } from "../processes/until-usable.ts";
import { type ClusterSite, loopback, type ObservedProcess } from "./cluster-site.ts";
import { findPrograms } from "./find-programs.ts";
import { createKeeper } from "./keep-program.ts";
import { startLinks } from "./links.ts";
import { publishCluster } from "./publish.ts";
import { quietPorts } from "./quiet-ports.ts";
import { namePorts, nodeName, startApisAndWorkers } from "./start-apis-and-workers.ts";
import { startBalancer } from "./start-balancer.ts";
import { startEtcd } from "./start-etcd.ts";
import { createDatabase, startPostgres } from "./start-postgres.ts";
import { startPrometheus } from "./start-prometheus.ts";
import { remoteOf, startSigners } from "./start-signers.ts";
import { clusterFolder } from "./start-sluice.ts";

export type ClusterOptions = {
  readonly home: string;
  readonly host: string;
  readonly port: number;
  /** The value of `SLUICE_CHAINS`; null: a few chains. */
  readonly chains: string | null;
};

export type Cluster = {
  readonly file: ClusterFile;
  readonly missing: SandboxChains["missing"];
  /** Resolves with the reason when a part cannot be started any more. */
  readonly failed: Promise<string>;
  readonly stop: () => Promise<void>;
};

const counts = { api: 2, worker: 3 } as const;
/** The signers' client for commands such as `sluice check`. */
const operator = "operator";
/** A killed worker's chains and jobs pause no longer. */
const leaseSeconds = 10;

/**
 * Starts the deployment that the operations guide describes on this machine: PostgreSQL under Patroni with etcd, a load balancer, api
 * processes, workers, two signers, Prometheus, and the private chains of the sandbox. Every start begins with an empty database and new
 * chains; what it wrote is deleted when it stops, except for its logs. Writes `cluster.json` when everything is ready. When a step fails,
 * the parts already started are stopped.
 */
export async function startCluster(options: ClusterOptions, world: World): Promise<Cluster> {
  const { home } = options;
  const isRoot = process.getuid?.() === 0;
  const programs = findPrograms(process.env, isRoot);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const teardown = new Teardown(world.logger);
  try {
    const lock = takeProcessLock(join(home, "lock"));
    teardown.add("lock", () => {
      lock.release();
    });
    await removeClusterFile(home);
    await requireFreeAddress(options.host, options.port);
    const folder = clusterFolder(home);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    teardown.add("files", () => removeFiles(home, folder));
    const dataFolder = await createDataFolder(folder, isRoot, teardown);
    const keeper = await createKeeper(join(home, "cluster-logs"), world, teardown);
    const links = await startLinks(world.clock);
    teardown.add("links", links.close);
    const takePort = quietPorts(world.random);
    const site = { ...world, folder, programs, keeper, links, teardown, takePort };
    return await startParts(site, options, dataFolder);
  } catch (error) {
    await teardown.run();
    throw error;
  }
}

async function startParts(
  site: ClusterSite,
  options: ClusterOptions,
  dataFolder: string,
): Promise<Cluster> {
  const { home } = options;
  const base = await startBase(site, options, dataFolder);
  const { config, chains, etcd, postgres, databasePort, apis, workers } = base;
  const names = [...workers.map(({ name }) => name), operator];
  const signers = await startSigners(site, config, etcd.members, names);
  await openDatabase(site, base.passwords, databasePort, config.database.url);
  const ports = signers.signers.map((signer) => signer.port);
  const remote = remoteOf(signers.accessOf, operator, ports);
  const forCommands = { ...config, signer: { ...config.signer, remote } };
  await writeAtomically(sandboxConfigPath(home), `${JSON.stringify(forCommands, null, 2)}\n`);
  const services = await startApisAndWorkers(site, { ...base, ...signers });
  const prometheus = await startPrometheus(site, {
    "sluice-api": apis.map((api) => api.port),
    "sluice-worker": workers.map((worker) => worker.port),
  });
  const parts = [etcd, postgres, signers, services, base.balancer, prometheus];
  const failed = Promise.race([chains.failed, ...parts.map((part) => part.failed)]);
  const sandbox = await Promise.race([
    describe(forCommands, site, chains.chains, postgres.untilReplicated),
    failed.then((reason) => {
      throw new Error(reason);
    }),
  ]);
  const observe = async (): Promise<readonly ObservedProcess[]> => [
    ...(await Promise.all(parts.map((part) => part.observe()))).flat(),
    ...observeNodes(chains),
  ];
  const published = { ...sandbox, mail_url: base.mailUrl };
  const file = await publish(site, home, published, observe);
  site.logger.info("cluster is ready", { base_url: config.base_url });
  return { file, missing: chains.missing, failed, stop: () => site.teardown.run() };
}

/** All that Sluice's own processes need. */
async function startBase(site: ClusterSite, options: ClusterOptions, dataFolder: string) {
  const { folder, teardown, takePort } = site;
  const { host, port } = options;
  const selected = selectChains(options.chains);
  const passwords = await createPasswords(site);
  const [databasePort, replicaPort] = [await takePort(), await takePort()];
  const apis = await namePorts(site, "api", counts.api);
  const workers = await namePorts(site, "worker", counts.worker);
  const etcd = await startEtcd(site);
  const [postgres, chains, rates, screening, mailbox] = await Promise.all([
    startPostgres(site, dataFolder, etcd.members, passwords),
    teardown.track("chains", startSandboxChains(folder, selected, site), (started) =>
      started.stop(),
    ),
    teardown.track("rates", startRateServer(), (server) => server.close()),
    teardown.track("screening", startScreeningServer(), (server) => server.close()),
    teardown.track("mail server", startMailbox(site.clock, site.random), (started) =>
      started.close(),
    ),
    writeKeys(folder, site),
  ]);
  const { servers } = postgres;
  const balancer = await startBalancer(site, {
    host,
    port,
    databasePort,
    replicaPort,
    apis,
    servers,
  });
  const config = clusterConfig({
    home: folder,
    host,
    port,
    databaseUrl: `postgres://sluice:${passwords.service}@${loopback(databasePort)}/sluice`,
    chains: chains.chains,
    unselected: chains.unselected,
    rateSources: rates.sources,
    screeningUrl: screening.url,
    mail: { host: mailbox.host, port: mailbox.port },
  });
  await createApprovalKeyFiles(config, site.random);
  const mailUrl = mailbox.url;
  return {
    config,
    passwords,
    databasePort,
    replicaPort,
    apis,
    workers,
    etcd,
    postgres,
    chains,
    balancer,
    mailUrl,
  };
}

/** Writes `cluster.json` and keeps it current until the teardown, which removes it. */
function publish(
  { clock, links, teardown }: ClusterSite,
  home: string,
  sandbox: SandboxFile,
  observe: () => Promise<readonly ObservedProcess[]>,
): Promise<ClusterFile> {
  const publishing = new AbortController();
  const published = publishCluster(
    { home, sandbox, observe, links: links.list, clock },
    publishing.signal,
  );
  teardown.add("cluster.json", async () => {
    publishing.abort();
    await published.ended;
    await removeClusterFile(home);
  });
  return published.first;
}

/** The sandbox's settings, behind a balancer, on several machines. */
function clusterConfig(site: Parameters<typeof sandboxConfig>[0]): Config {
  const config = sandboxConfig(site);
  return configSchema.parse({
    ...config,
    http: { ...config.http, trusted_proxies: 1 },
    worker: { host: "127.0.0.1", lease_seconds: leaseSeconds },
    log: { level: "info" },
  });
}

async function createPasswords({ folder, random }: ClusterSite) {
  const secret = (name: string): Promise<string> =>
    storedSecret(join(folder, `${name}-password`), random);
  return {
    superuser: await secret("superuser"),
    replication: await secret("replication"),
    service: await secret("service"),
  };
}

/** The servers run as another user than root, who may not enter private folders. */
async function createDataFolder(
  folder: string,
  isRoot: boolean,
  teardown: Teardown,
): Promise<string> {
  if (!isRoot) {
    const inHome = join(folder, "postgres");
    await mkdir(inHome, { mode: 0o700 });
    return inHome;
  }
  const elsewhere = await mkdtemp(join(tmpdir(), "sluice-cluster-"));
  await chmod(elsewhere, 0o711);
  teardown.add("data of PostgreSQL", () => rm(elsewhere, { recursive: true, force: true }));
  return elsewhere;
}

async function openDatabase(
  { clock, teardown }: ClusterSite,
  passwords: { readonly superuser: string; readonly service: string },
  port: number,
  url: string,
): Promise<void> {
  const giveUp = new AbortController();
  teardown.add("creation of the database", () => {
    giveUp.abort();
  });
  const superuser = `postgres://postgres:${passwords.superuser}@${loopback(port)}/postgres`;
  await createDatabase({ clock }, superuser, passwords.service, giveUp.signal);
  await migrate(url, clock);
}

/** Creates the demo accounts and waits until deposits and payouts work. */
async function describe(
  config: Config,
  site: ClusterSite,
  chains: SandboxFile["chains"],
  untilReplicated: (signal: AbortSignal) => Promise<void>,
): Promise<Omit<SandboxFile, "mail_url">> {
  const foundation = await createFoundation(config, site, "cli");
  const giveUp = new AbortController();
  site.teardown.add("start", () => {
    giveUp.abort();
  });
  try {
    const demo = await openDemoAccounts(foundation, site.folder);
    await untilUsable(foundation, chains, giveUp.signal);
    await untilReplicated(giveUp.signal);
    return sandboxFileOf(demo, config.base_url, chains, foundation);
  } finally {
    await foundation.db.close();
  }
}

/** Those that are processes of their own; simulated ledgers are part of this one. */
function observeNodes(chains: SandboxChains): readonly ObservedProcess[] {
  return Object.entries(chains.pids()).map(([chain, pid]) => {
    const { host } = new URL(chains.chains[chain]?.rpc_url ?? "http://unknown");
    return { name: nodeName(chain), role: "node", pid, address: host };
  });
}

async function removeFiles(home: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await rm(sandboxConfigPath(home), { force: true });
}
