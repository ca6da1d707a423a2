import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { ethereum } from "../../../src/currencies/coins/ethereum.ts";
import { Teardown } from "../../../src/main/processes/teardown.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { startAnvil } from "../../../src/sandbox/anvil.ts";
import { deployTokens } from "../../../src/sandbox/deploy-tokens.ts";
import { startRateServer } from "../../../src/sandbox/rate-server.ts";
import type { SandboxChain } from "../../../src/sandbox/sandbox-file.ts";
import { startScreeningServer } from "../../../src/sandbox/screening-server.ts";
import { administer } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { daemonOf } from "./define-scenario.ts";
import type { Deployment, NodeControl, OwnerLogin, Restartable } from "./deployment.ts";
import { findLoggedSecrets } from "./logged-secrets.ts";
import { payFloats } from "./pay-floats.ts";
import { quietPort } from "./quiet-port.ts";
import { leftovers, runSluice, startSluice } from "./run-sluice.ts";
import { startUtxoChain } from "./utxo-chain.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
const chainId = 1337;
const stopPatienceMs = 60_000;

type Chain = {
  /** As payers reach it. */
  readonly site: SandboxChain;
  /** As the service reaches it. */
  readonly nodeUrl: string;
  readonly control: NodeControl | null;
  readonly stop: () => Promise<void>;
};

/**
 * What an operator sets up: a PostgreSQL and nodes of their own, one configuration file, and with it two api, two worker and one
 * signer process, which the workers reach over TLS, set up with the documented commands.
 */
export async function startProductionDeployment(): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-production-"));
  const teardown = new Teardown(silentLogger);
  try {
    return await startParts(folder, teardown);
  } catch (error) {
    await teardown.run();
    throw new Error(`the deployment did not start, its logs are in ${folder}`, { cause: error });
  }
}

async function startParts(folder: string, teardown: Teardown): Promise<Deployment> {
  const databaseUrl = await createDatabase(teardown);
  const [chains, rates, screening, ports] = await Promise.all([
    startChains(folder, teardown),
    teardown.track("rates", startRateServer(), (server) => server.close()),
    teardown.track("screening", startScreeningServer(), (server) => server.close()),
    Promise.all([quietPort(), quietPort(), quietPort(), quietPort(), quietPort()]),
  ]);
  const configFile = join(folder, "sluice.toml");
  const [port, , , , signerPort] = ports;
  const site = { folder, databaseUrl, chains, port, signerPort, rates, screening };
  const config = writeToml(site);
  await writeFile(configFile, config, { mode: 0o600 });
  await writeFile(join(folder, "passphrase"), "correct horse battery staple\n", { mode: 0o600 });

  await runSluice("init", "--config", configFile);
  await certify("create", "--host", "127.0.0.1", "--config", configFile);
  await certify("issue", "workers", "--out", folder, "--config", configFile);
  await runSluice("migrate", "--config", configFile);
  const owner = await createAccount(configFile, "Shop");
  const other = await createAccount(configFile, "Other shop");
  const ended: Promise<never>[] = [];
  const start = (name: string, ...args: readonly string[]): Restartable => {
    const run = () => startSluice(join(folder, `${name}.log`), [...args, "--config", configFile]);
    let started = run();
    teardown.add(name, () => started.end(systemClock, stopPatienceMs));
    ended.push(started.ended.then(() => Promise.reject(new Error(`${name} ended: see its log`))));
    return {
      kill: async () => {
        started.kill();
        await started.ended;
      },
      restart: () => {
        started = run();
        return Promise.resolve();
      },
    };
  };
  const signer = start("signer", "signer");
  for (const port of ports.slice(0, 2)) start(`api-${port}`, "api", "--port", String(port));
  for (const port of ports.slice(2, 4)) start(`worker-${port}`, "worker", "--port", String(port));
  const urls = ports.slice(0, 4).map((port) => `http://127.0.0.1:${port}`);
  for (const end of ended) end.catch(() => undefined);
  await Promise.race([Promise.all(urls.map(untilReady)), ...ended]);
  const sites = mapValues(chains, ({ site }) => site);
  await payFloats(databaseUrl, sites);
  return {
    apis: urls.slice(0, 2),
    owner,
    other,
    databaseUrl,
    configFile,
    signer,
    chains: sites,
    nodes: Object.fromEntries(
      Object.entries(chains).flatMap(([chain, { control }]) =>
        control === null ? [] : [[chain, control]],
      ),
    ),
    stop: async () => {
      await teardown.run();
      const logged = await findLoggedSecrets(folder, await secretsOf(folder, owner, other));
      if (logged.length > 0) throw new Error(logged.join("\n"));
      const nodes = Object.values(chains).map(({ site }) => site.rpc_url);
      const left = await leftovers(folder, [...urls, ...nodes]);
      if (left.length > 0) throw new Error(left.join("\n"));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** By name. */
async function secretsOf(
  folder: string,
  ...owners: readonly OwnerLogin[]
): Promise<Readonly<Record<string, string>>> {
  const files = ["passphrase", "data.key", "approval.key", "workers.key"];
  const read = async (file: string): Promise<string> => {
    // The middle line of a PEM file, the only one of the others.
    const lines = (await readFile(join(folder, file), "utf8")).trim().split("\n");
    return present(lines[Math.floor(lines.length / 2)], file);
  };
  return Object.fromEntries([
    ...(await Promise.all(files.map(async (file) => [file, await read(file)] as const))),
    ...owners.flatMap(({ login, password, dashboard, webhookSecret }) => [
      [`password of ${login}`, password],
      [`password of ${dashboard.login}`, dashboard.password],
      [`webhook secret of ${login}`, webhookSecret],
    ]),
  ]) as Readonly<Record<string, string>>;
}

function certify(...args: readonly string[]): Promise<string> {
  return runSluice("signer", "certificates", ...args);
}

/** An empty database on the test run's server. */
async function createDatabase(teardown: Teardown): Promise<string> {
  const template = inject("databaseUrl");
  const name = `production_${randomUUID().replaceAll("-", "")}`;
  await administer(template, `create database ${name} template template0`);
  teardown.add("database", () => administer(template, `drop database ${name} with (force)`));
  return template.replace(/\/sluice$/, `/${name}`);
}

async function startChains(
  folder: string,
  teardown: Teardown,
): Promise<Readonly<Record<string, Chain>>> {
  const start = async (name: string, starting: Promise<Chain> | null) => {
    if (starting === null) return [];
    return [[name, await teardown.track(name, starting, (chain) => chain.stop())] as const];
  };
  const coin = (name: "BTC" | "LTC"): Promise<Chain> | null => {
    const found = daemonOf(name);
    return found.kind === "found" ? startUtxoChain(name, found.path, join(folder, name)) : null;
  };
  const started = await Promise.all([
    start("ETH", startEthereum(folder)),
    start("BTC", coin("BTC")),
    start("LTC", coin("LTC")),
  ]);
  return Object.fromEntries(started.flat());
}

async function startEthereum(folder: string): Promise<Chain> {
  const anvil = await startAnvil({
    folder: join(folder, "ETH"),
    port: 0,
    chainId,
    blockSeconds: 2,
    ...world,
  });
  const tokens = await deployTokens(anvil.rpc, ethereum, new AbortController().signal);
  return {
    site: { family: "evm", rpc_url: anvil.url, chain_id: chainId, tokens },
    nodeUrl: anvil.url,
    control: null,
    stop: anvil.stop,
  };
}

function writeToml(site: {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly chains: Readonly<Record<string, Chain>>;
  readonly port: number;
  readonly signerPort: number;
  readonly rates: Awaited<ReturnType<typeof startRateServer>>;
  readonly screening: { readonly url: string };
}): string {
  const { folder, chains } = site;
  const contracts = Object.values(chains).flatMap(({ site: chain }) =>
    chain.family === "evm" ? Object.entries(chain.tokens) : [],
  );
  const text = JSON.stringify;
  return `
base_url = "http://127.0.0.1:${site.port}"
log.level = "info"
listen.port = ${site.port}
database.url = ${text(site.databaseUrl)}
keys.data_key_files = [${text(join(folder, "data.key"))}]
payouts.approval_key_file = ${text(join(folder, "approval.key"))}
payouts.token_fees = "operator"
screening.url = ${text(site.screening.url)}
deposits.addresses_ahead = 200
people.approver_min_age_seconds = 0

[signer]
folder = ${text(join(folder, "signer"))}
passphrase_file = ${text(join(folder, "passphrase"))}
approval_key_files = [${text(join(folder, "approval.pub"))}]

[signer.listen]
host = "127.0.0.1"
port = ${site.signerPort}

[signer.remote]
host = "127.0.0.1"
port = ${site.signerPort}
certificate_file = ${text(join(folder, "workers.crt"))}
key_file = ${text(join(folder, "workers.key"))}
authority_file = ${text(join(folder, "signer-ca.crt"))}

[callbacks]
allows_http = true
allowed_ports = []
allowed_networks = ["127.0.0.0/8"]

${Object.entries(chains)
  .map(
    ([
      chain,
      {
        nodeUrl,
        site: { family },
      },
    ]) => `[chains.${chain}]
network = "regtest"
nodes = [${text(nodeUrl)}]
start_height = 0
${family === "evm" ? `chain_id = ${chainId}` : ""}`,
  )
  .join("\n")}
${contracts
  .map(
    ([alpha, contract]) => `[[currencies]]
currency = ${text(alpha)}
contract = ${text(contract)}`,
  )
  .join("\n")}
${site.rates.sources
  .map(
    ({ source, baseUrl }) => `[[rates.sources]]
source = ${text(source)}
base_url = ${text(baseUrl ?? "")}`,
  )
  .join("\n")}
`;
}

/** The output of `sluice account`, read as a person would. */
async function createAccount(configFile: string, name: string): Promise<OwnerLogin> {
  const printed = await runSluice("account", name, "--config", configFile);
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

async function untilReady(url: string): Promise<void> {
  await eventually(
    () =>
      fetch(`${url}/readyz?scope=system`).then(
        (answer) => answer.status,
        () => 0,
      ),
    (status) => status === 200,
    300,
  );
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
