import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { ethereum } from "../../../src/currencies/coins/ethereum.ts";
import { Teardown } from "../../../src/main/processes/teardown.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { startAnvil } from "../../../src/sandbox/anvil.ts";
import { deployTokens } from "../../../src/sandbox/deploy-tokens.ts";
import { startRateServer } from "../../../src/sandbox/rate-server.ts";
import type { SignedSpend } from "../../../src/signer/intent.ts";
import { administer } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import type { Deployment, OwnerLogin } from "./deployment.ts";
import { payFloats } from "./pay-floats.ts";
import { quietPort } from "./quiet-port.ts";
import { type MoneroPrograms, startRestorableMonero } from "./restorable-monero.ts";
import { runSluice, startSluice } from "./run-sluice.ts";
import { type Ledgers, ledgerConfig, startLedgers } from "./simulated-ledgers.ts";
import { startUtxoChain } from "./utxo-chain.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
const chainId = 1337;
const stopPatienceMs = 60_000;

/** Chains beside Ethereum: the programs of Bitcoin's family and of Monero, and simulated ledgers. */
export type OtherChains = Readonly<Partial<Record<"BTC" | "LTC", string>>> &
  Ledgers & { readonly XMR?: MoneroPrograms };

type More = Readonly<Record<string, unknown>> & { readonly payouts?: object };

/**
 * One api, one worker and one signer on a private Ethereum, and on other chains if requested, whose database and signer's folder
 * can be restored to an earlier state.
 */
export type RestorableDeployment = Deployment & {
  readonly startApi: () => Promise<void>;
  readonly startWorker: () => Promise<void>;
  readonly startSigner: () => void;
  /** A second worker beside the first. */
  readonly startOtherWorker: () => Promise<void>;
  /** Api and workers; the signer continues. */
  readonly killAll: () => Promise<void>;
  readonly killWorker: () => Promise<void>;
  readonly killOtherWorker: () => Promise<void>;
  readonly killSigner: () => Promise<void>;
  /** Copies the files of the signer's folder that the guide names, while the signer runs. */
  readonly backUpSigner: () => Promise<void>;
  /** Restores that copy into an empty folder. */
  readonly restoreSigner: () => Promise<void>;
  /** The same without the keystore, which is restored from the 24 words that were printed when it was created. */
  readonly restoreSignerFromWords: () => Promise<void>;
  /** The current database, while no process uses it. */
  readonly backUp: () => Promise<void>;
  readonly restore: () => Promise<void>;
  readonly workerLog: () => Promise<string>;
  /** Everything that the signer has ever signed for a payout, by its own journal, oldest first. */
  readonly signedFor: (payoutId: string) => Promise<readonly SignedSpend[]>;
};

export async function startRestorableDeployment(
  others: OtherChains = {},
  /** URLs of the nodes to configure for a chain, in front of its real node; `XMR wallet` is the program of the view-only wallet. */
  nodesOf: (chain: string, nodeUrl: string) => Promise<readonly string[]> = (_chain, url) =>
    Promise.resolve([url]),
  /** Further sections of the configuration, and members of `payouts`. */
  more: More = {},
): Promise<RestorableDeployment> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-restorable-"));
  const teardown = new Teardown(silentLogger);
  teardown.add("folder", () => rm(folder, { recursive: true, force: true }));
  try {
    return await startParts(folder, { others, nodesOf, more }, teardown);
  } catch (error) {
    await teardown.run();
    throw error;
  }
}

async function startParts(
  folder: string,
  {
    others,
    nodesOf,
    more,
  }: {
    readonly others: OtherChains;
    readonly nodesOf: (chain: string, nodeUrl: string) => Promise<readonly string[]>;
    readonly more: More;
  },
  teardown: Teardown,
): Promise<RestorableDeployment> {
  const database = createDatabase(teardown);
  const coin = async (name: "BTC" | "LTC") => {
    const program = others[name];
    if (program === undefined) return [];
    const starting = startUtxoChain(name, program, join(folder, name));
    return [[name, await teardown.track(name, starting, (chain) => chain.stop())] as const];
  };
  const [databaseUrl, bitcoin, litecoin, ledgers, monero, anvil, rates, apiPort, workerPort] =
    await Promise.all([
      database.create(),
      coin("BTC"),
      coin("LTC"),
      startLedgers(others, folder, teardown),
      others.XMR === undefined
        ? null
        : teardown.track("XMR", startRestorableMonero(folder, others.XMR), (node) => node.stop()),
      teardown.track(
        "ETH",
        startAnvil({ folder: join(folder, "ETH"), port: 0, chainId, blockSeconds: 1, ...world }),
        (node) => node.stop(),
      ),
      teardown.track("rates", startRateServer(), (server) => server.close()),
      quietPort(),
      quietPort(),
    ]);
  const otherWorkerPort = await quietPort();
  const tokens = await deployTokens(anvil.rpc, ethereum, new AbortController().signal);
  const { payouts = {}, ...sections } = more;
  const configFile = join(folder, "sluice.json");
  const file = (name: string): string => join(folder, name);
  const utxo = [...bitcoin, ...litecoin];
  const reached = [
    ...utxo.map(([name, { nodeUrl, site }]) => [name, nodeUrl, site] as const),
    ...Object.entries(ledgers).map(([name, site]) => [name, site.rpc_url, site] as const),
  ];
  const otherChains = Object.fromEntries(
    await Promise.all(
      reached.map(async ([name, nodeUrl, site]) => {
        const nodes = await nodesOf(name, nodeUrl);
        return [name, { network: "regtest", ...ledgerConfig(site, nodes) }] as const;
      }),
    ),
  );
  const contracts = Object.assign(
    { ...tokens },
    ...Object.values(ledgers).map((site) => ("tokens" in site ? site.tokens : {})),
  ) as Readonly<Record<string, string>>;
  const config = {
    base_url: `http://127.0.0.1:${apiPort}`,
    listen: { port: apiPort },
    worker: { port: workerPort, lease_seconds: 2 },
    database: { url: databaseUrl },
    keys: { data_key_files: [file("data.key")] },
    // What was swept from an address that a restored database has forgotten is a difference in its books.
    payouts: {
      approval_key_file: file("approval.key"),
      sweep_worth_times: 1_000_000,
      token_fees: "operator",
      ...payouts,
    },
    deposits: { addresses_ahead: 100 },
    signer: {
      folder: file("signer"),
      passphrase_file: file("passphrase"),
      approval_key_files: [file("approval.pub")],
    },
    callbacks: { allows_http: true, allowed_ports: [], allowed_networks: ["127.0.0.0/8"] },
    chains: {
      ETH: {
        network: "regtest",
        nodes: await nodesOf("ETH", anvil.url),
        chain_id: chainId,
        start_height: 0,
      },
      ...otherChains,
      ...(monero === null ? {} : { XMR: await monero.chainConfig(nodesOf) }),
    },
    currencies: [
      ...Object.entries(contracts).map(([currency, contract]) => ({ currency, contract })),
      ...(monero === null ? [] : [monero.currency]),
    ],
    rates: { sources: rates.sources.map(({ source, baseUrl }) => ({ source, base_url: baseUrl })) },
    ...sections,
  };
  await writeFile(configFile, JSON.stringify(config), { mode: 0o600 });
  await writeFile(file("passphrase"), "correct horse battery staple\n", { mode: 0o600 });
  const words = wordsIn(await runSluice("init", "--show-words", "--config", configFile));
  await runSluice("migrate", "--config", configFile);
  const [owner, other] = [await createAccount(configFile), await createAccount(configFile)];
  const parts = createParts(folder, configFile, teardown);
  const startSigner = (): void => {
    parts.start("signer", monero?.signerEnvironment);
  };
  startSigner();
  const apis = [`http://127.0.0.1:${apiPort}`];
  const startApi = async (): Promise<void> => {
    parts.start("api");
    await untilAnswers(`${apis[0] ?? ""}/healthz`);
  };
  const startWorker = async (): Promise<void> => {
    parts.start("worker");
    await untilAnswers(`http://127.0.0.1:${workerPort}/readyz?scope=system`);
  };
  const startOtherWorker = async (): Promise<void> => {
    parts.start("other-worker", { SLUICE__WORKER__PORT: String(otherWorkerPort) });
    await untilAnswers(`http://127.0.0.1:${otherWorkerPort}/readyz?scope=system`);
  };
  await Promise.all([startApi(), startWorker()]);
  const chains = {
    ETH: { family: "evm", rpc_url: anvil.url, chain_id: chainId, tokens } as const,
    ...Object.fromEntries(utxo.map(([name, { site }]) => [name, site])),
    ...ledgers,
    ...(monero === null ? {} : { XMR: monero.site }),
  };
  await payFloats(databaseUrl, chains);
  return {
    apis,
    owner,
    other,
    databaseUrl,
    configFile,
    chains,
    startApi,
    startWorker,
    nodes: null,
    signer: null,
    backUp: database.backUp,
    restore: database.restore,
    startSigner,
    startOtherWorker,
    killAll: () => parts.kill("api", "worker", "other-worker"),
    killWorker: () => parts.kill("worker"),
    killOtherWorker: () => parts.kill("other-worker"),
    killSigner: () => parts.kill("signer"),
    backUpSigner: () => copySigner(file("signer"), file("signer-backup")),
    restoreSigner: async () => {
      await rm(file("signer"), { recursive: true });
      await copySigner(file("signer-backup"), file("signer"));
    },
    restoreSignerFromWords: async () => {
      await rm(file("signer"), { recursive: true });
      await copySigner(file("signer-backup"), file("signer"));
      await rm(join(file("signer"), "keystore.json"));
      await writeFile(file("words"), words, { mode: 0o600 });
      await runSluice("init", "--words-file", file("words"), "--config", configFile);
      await rm(file("words"));
    },
    workerLog: () => readFile(join(folder, "worker.log"), "utf8"),
    signedFor: async (payoutId) => {
      const spends = await readSpends(join(file("signer"), "spends.journal"));
      return spends.filter(({ payoutIds }) => payoutIds.includes(payoutId));
    },
    stop: () => teardown.run(),
  };
}

/** The 24 words that `init --show-words` printed. */
function wordsIn(printed: string): string {
  const found = /^ *((?:[a-z]+ ){23}[a-z]+)$/m.exec(printed)?.[1];
  if (found === undefined) throw new Error("init printed no words");
  return found;
}

const signerFiles = [
  ...["keystore.json", "limits.json", "audit.log", "issued.journal", "spends.journal"],
  "database.mark",
];

async function copySigner(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const name of signerFiles) {
    if (existsSync(join(from, name))) await copyFile(join(from, name), join(to, name));
  }
}

/** Each line after the first is a spend as JSON text, a space and a seal. */
async function readSpends(journal: string): Promise<readonly SignedSpend[]> {
  const [, ...lines] = (await readFile(journal, "utf8")).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line.slice(0, line.lastIndexOf(" "))) as SignedSpend);
}

function createParts(folder: string, configFile: string, teardown: Teardown) {
  const running = new Map<string, ReturnType<typeof startSluice>>();
  return {
    start: (
      name: "api" | "worker" | "other-worker" | "signer",
      environment: Readonly<Record<string, string>> = {},
    ): void => {
      const log = join(folder, `${name}.log`);
      const role = name === "other-worker" ? "worker" : name;
      const started = startSluice(log, [role, "--config", configFile], environment);
      running.set(name, started);
      teardown.add(name, () => started.end(systemClock, stopPatienceMs));
    },
    kill: async (...names: readonly string[]): Promise<void> => {
      for (const name of names) {
        const part = running.get(name);
        part?.kill();
        await part?.ended;
      }
    },
  };
}

/** A database of its own on the test run's server, and at most one copy of it. */
function createDatabase(teardown: Teardown) {
  const template = inject("databaseUrl");
  const name = `restorable_${randomUUID().replaceAll("-", "")}`;
  const drop = (database: string) =>
    administer(template, `drop database if exists ${database} with (force)`);
  const copy = (from: string, to: string) =>
    administer(template, `create database ${to} template ${from}`);
  return {
    create: async (): Promise<string> => {
      teardown.add("databases", async () => {
        await drop(name);
        await drop(`${name}_backup`);
      });
      await copy("template0", name);
      return template.replace(/\/sluice$/, `/${name}`);
    },
    backUp: async (): Promise<void> => {
      await drop(`${name}_backup`);
      await copy(name, `${name}_backup`);
    },
    restore: async (): Promise<void> => {
      await drop(name);
      await copy(`${name}_backup`, name);
    },
  };
}

async function createAccount(configFile: string): Promise<OwnerLogin> {
  const printed = await runSluice("account", "Shop", "--config", configFile);
  const line = (title: string): string => {
    const found = new RegExp(`^${title} +(\\S+)$`, "m").exec(printed)?.[1];
    if (found === undefined) throw new Error(`no ${title} in: ${printed}`);
    return found;
  };
  return {
    login: line("Login"),
    password: line("Password"),
    dashboard: { login: line("Dashboard"), password: line("Initial password") },
    webhookSecret: line("Webhook secret"),
  };
}

async function untilAnswers(url: string): Promise<void> {
  await eventually(
    () =>
      fetch(url).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 200,
    300,
  );
}
