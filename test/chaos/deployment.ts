import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { defaultPeopleSettings } from "../../src/accounts/people/context.ts";
import { defaultPasswordHashing } from "../../src/accounts/tokens/password-hash.ts";
import { ethereum } from "../../src/currencies/coins/ethereum.ts";
import { createApprovalKeyFiles } from "../../src/main/build/approval-keys.ts";
import { createFoundation } from "../../src/main/build/foundation.ts";
import { configSchema } from "../../src/main/config/config.ts";
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
import type { Anvil } from "../../src/sandbox/anvil.ts";
import { type DemoAccounts, ensureDemoAccounts } from "../../src/sandbox/demo-accounts.ts";
import { deployTokens } from "../../src/sandbox/deploy-tokens.ts";
import { findDaemon } from "../../src/sandbox/find-daemon.ts";
import { startRateServer } from "../../src/sandbox/rate-server.ts";
import type { SandboxChain } from "../../src/sandbox/sandbox-file.ts";
import { startScreeningServer } from "../../src/sandbox/screening-server.ts";
import type { UtxoNode } from "../../src/sandbox/utxo-node.ts";
import { createKeystore } from "../../src/signer/keys/keystore.ts";
import { quietPort } from "../scenarios/support/quiet-port.ts";
import { databasePart } from "./database-part.ts";
import {
  type CoinChain,
  coinNodePart,
  daemonOf,
  evmChainId,
  evmNodePart,
  type NodePart,
} from "./node-parts.ts";
import { type Part, startPatiently } from "./part.ts";
import { programPart } from "./program-part.ts";

/** The confirmation count, low enough that many payments count within the run. */
export const confirmations: Readonly<Record<string, number>> = {
  "1002": 3,
  "2015": 3,
  "2014": 3,
  "1000": 2,
  "1003": 2,
};

const never = new AbortController().signal;
const world = { clock: systemClock, random: systemRandom, logger: silentLogger };

/** The lowest valid cost: nothing attacks this keystore. */
const keyCost = { memoryKib: 8_192, passes: 1, threads: 1 };

/** The fraction of deliveries that the receiver answers with 500. */
const receiverFailures = 0.05;

export type Deployment = {
  readonly parts: readonly Part[];
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly account: DemoAccounts;
  readonly evm: NodePart<Anvil>;
  readonly evmChain: Extract<SandboxChain, { readonly family: "evm" }>;
  /** Those whose daemons are installed. */
  readonly coins: ReadonlyMap<CoinChain, NodePart<UtxoNode>>;
  readonly chains: Readonly<Record<string, SandboxChain>>;
  /** The signer's record of signatures, written before anyone else knows of them. */
  readonly signedJournal: string;
  readonly receiverUrl: string;
  /** The receiver's record of deliveries. */
  readonly deliveries: string;
  /** Processes of the service that ended without being killed. */
  readonly ownEnds: readonly string[];
  readonly stop: () => Promise<void>;
};

/** Starts a whole deployment below `folder`, each process by itself. If a later step fails, everything started is stopped. */
export async function startDeployment(
  folder: string,
  print: (line: string) => void,
): Promise<Deployment> {
  const teardown = new Teardown(world.logger);
  try {
    return await startParts(folder, print, teardown);
  } catch (error) {
    await teardown.run();
    throw error;
  }
}

async function startParts(
  folder: string,
  print: (line: string) => void,
  teardown: Teardown,
): Promise<Deployment> {
  await mkdir(join(folder, "logs"), { recursive: true });
  const database = databasePart({ folder: join(folder, "postgres"), port: await quietPort() });
  const evm = evmNodePart(join(folder, "anvil"), await quietPort());
  const coins = await openCoins(folder, print);
  const start = async (part: Part): Promise<void> => {
    teardown.add(part.name, part.stop);
    await startPatiently(part.start, () => undefined);
  };
  const deliveries = join(folder, "deliveries.jsonl");
  const [rates, screening, receiver, tokens] = await Promise.all([
    teardown.track("rates", startRateServer(), (server) => server.close()),
    teardown.track("screening", startScreeningServer(), (server) => server.close()),
    startReceiver(deliveries, teardown),
    start(evm).then(() => prepareTokens(evm)),
    start(database).then(() => migrate(database.url, systemClock)),
    writeKeys(folder),
    Promise.all([...coins.values()].map(start)),
  ]);
  const evmChain = {
    family: "evm" as const,
    rpc_url: evm.node().url,
    chain_id: evmChainId,
    tokens,
  };
  const chains: Readonly<Record<string, SandboxChain>> = {
    ETH: evmChain,
    ...Object.fromEntries([...coins].map(([chain, { node }]) => [chain, coinChain(node())])),
  };
  const config = chaosConfig({
    home: folder,
    host: "127.0.0.1",
    port: await quietPort(),
    databaseUrl: database.url,
    chains,
    unselected: [],
    rateSources: rates.sources,
    screeningUrl: screening.url,
  });
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
    parts: [...programs, database, evm, ...coins.values()],
    baseUrl: config.base_url,
    databaseUrl: database.url,
    account,
    evm,
    evmChain,
    coins,
    chains,
    receiverUrl: receiver,
    deliveries,
    ownEnds,
    signedJournal: join(folder, "signer", "spends.journal"),
    stop: () => teardown.run(),
  };
}

async function openCoins(
  folder: string,
  print: (line: string) => void,
): Promise<ReadonlyMap<CoinChain, NodePart<UtxoNode>>> {
  const open = new Map<CoinChain, NodePart<UtxoNode>>();
  for (const chain of ["BTC", "LTC"] as const) {
    const found = findDaemon(daemonOf[chain], {
      path: process.env["PATH"] ?? "",
      home: homedir(),
      cacheHome: process.env["XDG_CACHE_HOME"] ?? "",
    });
    if (found.kind === "found")
      open.set(
        chain,
        coinNodePart(chain, join(folder, daemonOf[chain]), found.path, await quietPort()),
      );
    else print(`Without ${chain}: ${found.reason}`);
  }
  return open;
}

function coinChain(node: UtxoNode): SandboxChain {
  return { family: "utxo", rpc_url: node.rpcUrl, faucet_wallet: node.faucetWallet };
}

/**
 * Deep enough that no reorg of the run reaches them, and stopped cleanly once, so that they are in every file that a killed
 * node may fall back to.
 */
async function prepareTokens(evm: NodePart<Anvil>): Promise<Readonly<Record<string, string>>> {
  const tokens = await deployTokens(evm.node().rpc, ethereum, never);
  await evm.node().rpc.callOnce("anvil_mine", ["0x14"], never);
  await evm.stop();
  await evm.start();
  return tokens;
}

async function startReceiver(file: string, teardown: Teardown): Promise<string> {
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
    currencies: Object.entries(confirmations).map(([id, count]) => {
      const alpha = alphas[id]!;
      const known = config.currencies.find(({ currency }) => currency === alpha);
      return { ...known, currency: alpha, confirmation_blocks: count };
    }),
    callbacks: { ...config.callbacks, retry_seconds: [1, 1, 2, 2, 3, 3, 5, 5, 10, 10, 30] },
    throttle: { read: 1_000_000, create: 1_000_000, calculate: 1_000_000, token: 1_000_000 },
    // Few, so that the pools are refilled all the time.
    deposits: { ...config.deposits, addresses_ahead: 40 },
    worker: { host: "127.0.0.1", port: 0, lease_seconds: 2 },
    log: { level: "info" },
  });
}

const alphas: Readonly<Record<string, string>> = {
  "1002": "ETH",
  "2015": "USDT-ETH",
  "2014": "USDC-ETH",
  "1000": "BTC",
  "1003": "LTC",
};

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
