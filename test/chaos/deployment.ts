import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../src/main/config/config.ts";
import { Teardown } from "../../src/main/processes/teardown.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import {
  type SupervisedProcess,
  startSupervised,
} from "../../src/platform/processes/supervised-process.ts";
import type { DemoAccounts } from "../../src/sandbox/demo-accounts.ts";
import { startRateServer } from "../../src/sandbox/rate-server.ts";
import type { SandboxChain } from "../../src/sandbox/sandbox-file.ts";
import { startScreeningServer } from "../../src/sandbox/screening-server.ts";
import { quietPort } from "../scenarios/support/quiet-port.ts";
import type { ChaosChain } from "./chains/chaos-chain.ts";
import { openChains } from "./chains/open-chains.ts";
import { type DatabasePart, databasePart } from "./database-part.ts";
import type { Edge } from "./disturb.ts";
import { mountDisks, noDisks } from "./mount-disks.ts";
import { createNetwork } from "./network.ts";
import type { ChaosOptions } from "./options.ts";
import { type Part, startPatiently } from "./part.ts";
import { type PreparedSite, prepareSite, type SiteToPrepare } from "./prepare-site.ts";
import { ownProgram, type ProgramSite } from "./program-part.ts";
import { createPrograms } from "./programs.ts";
import { type Shape, smallShape } from "./shape.ts";
import type { Signers } from "./signers.ts";

/** The fraction of deliveries that the receiver answers with 500. */
const receiverFailures = 0.05;

export type Deployment = {
  readonly parts: readonly Part[];
  readonly configFile: string;
  /** Of each api. */
  readonly baseUrls: readonly string[];
  readonly databaseUrl: string;
  readonly account: DemoAccounts;
  /** Those whose programs are installed. */
  readonly chains: readonly ChaosChain[];
  /** How payers reach them. */
  readonly sites: Readonly<Record<string, SandboxChain>>;
  readonly signers: Pick<Signers, "journals" | "untilInSync">;
  readonly receiverUrl: string;
  /** The receiver's record of deliveries. */
  readonly deliveries: string;
  /** Processes of the service that ended without being killed. */
  readonly ownEnds: readonly string[];
  /** Application codes of refusals that pass by themselves (`ApiClient`). */
  readonly passingCodes: readonly string[];
  /** The connections that can be disturbed; none without `hasRelays`. */
  readonly edges: readonly Edge[];
  readonly stop: () => Promise<void>;
};

export type DeploymentOptions = Pick<ChaosOptions, "folder" | "chains" | "print"> & {
  /** A server that is not yet started; absent: one of the deployment's own. */
  readonly database?: DatabasePart;
  /** Members of the configuration that differ. */
  readonly adjust?: (config: Config) => Partial<Config>;
  /** The library of the processes' own clocks (`findFakeClock`). */
  readonly clockLibrary?: string | null;
  /** Whether the processes reach each other through relays. */
  readonly hasRelays?: boolean;
  /** Whether database and signers have small disks of their own, which can be filled. */
  readonly hasSmallDisks?: boolean;
  /** Default: a small one. */
  readonly shape?: Shape;
  /** Of another release than this one. */
  readonly release?: Release;
};

/** What a deployment runs. */
export type Release = {
  readonly prepare: (site: SiteToPrepare) => Promise<PreparedSite>;
  readonly programOf: ProgramSite["programOf"];
};

/** Starts a whole deployment below `folder`, each process by itself. If a later step fails, everything started is stopped. */
export async function startDeployment(options: DeploymentOptions): Promise<Deployment> {
  const { folder, chains, print } = options;
  const teardown = new Teardown(silentLogger);
  try {
    return await startParts(options, await openChains(chains, folder, print), teardown);
  } catch (error) {
    await teardown.run();
    throw error;
  }
}

async function startParts(
  {
    folder,
    database: given,
    adjust,
    clockLibrary = null,
    hasRelays = false,
    hasSmallDisks = false,
    shape = smallShape,
    release,
  }: DeploymentOptions,
  chains: readonly ChaosChain[],
  teardown: Teardown,
): Promise<Deployment> {
  await mkdir(join(folder, "logs"), { recursive: true });
  const postgres = join(folder, "postgres");
  const disks = hasSmallDisks ? await mountDisks(folder, shape, teardown) : noDisks;
  const disk = disks.get(postgres) ?? null;
  const database = given ?? databasePart({ folder: postgres, port: await quietPort(), disk });
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
    start(database),
  ]);
  const sites: Readonly<Record<string, SandboxChain>> = Object.fromEntries(opened);
  const site = {
    home: folder,
    host: "127.0.0.1",
    port: await quietPort(),
    databaseUrl: database.url,
    chains: sites,
    unselected: [],
    rateSources: rates.sources,
    screeningUrl: screening.url,
    mail: null,
  };
  const prepared = await (release?.prepare(site) ??
    prepareSite(site, (usual) => {
      const config = { ...usual, chains: { ...usual.chains, ...settingsOf(chains, usual) } };
      return { chains: config.chains, ...adjust?.(config) };
    }));

  const ownEnds: string[] = [];
  const programSite: ProgramSite = {
    configFile: prepared.configFile,
    programOf: release?.programOf ?? (() => ownProgram),
    logFolder: join(folder, "logs"),
    clockLibrary,
    onOwnEnd: (what: string) => {
      ownEnds.push(what);
    },
  };
  const network = createNetwork(hasRelays, teardown);
  const nodes = opened.map(([chain, { rpc_url }]) => [`node of ${chain}`, rpc_url] as const);
  const programs = await createPrograms({
    shape,
    network,
    programSite,
    disks,
    start,
    servers: { database: database.url, ...Object.fromEntries(nodes) },
    workersServers: { rates: rates.sources[0]?.baseUrl ?? "", screening: screening.url },
  });
  for (const program of programs.parts) await start(program);
  return {
    configFile: prepared.configFile,
    parts: [...programs.parts, database, ...chains.map(({ part }) => part)],
    baseUrls: programs.baseUrls,
    databaseUrl: database.url,
    account: prepared.account,
    chains,
    sites,
    receiverUrl: await network.lay("worker", "receiver", receiver),
    deliveries,
    ownEnds,
    // Until an api notices that its clock is ahead, all chains seem to have stopped.
    passingCodes: clockLibrary === null ? [] : ["3019"],
    edges: network.edges,
    signers: programs.signers,
    stop: () => teardown.run(),
  };
}

/** The settings of the chains that have some of their own. */
function settingsOf(chains: readonly ChaosChain[], { chains: usual }: Config): Config["chains"] {
  return Object.fromEntries(
    chains.flatMap(({ chain, config }) => {
      const known = usual[chain];
      return config === undefined || known === undefined ? [] : [[chain, { ...known, ...config }]];
    }),
  );
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
