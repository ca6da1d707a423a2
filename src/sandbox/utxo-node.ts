import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createJsonRpc, type JsonRpc } from "../chains/rpc/json-rpc.ts";
import { RpcError } from "../chains/rpc/node-error.ts";
import type { ChainId } from "../currencies/currency.ts";
import type { UtxoDaemon } from "../currencies/utxo-facts.ts";
import type { Clock } from "../platform/kernel/clock.ts";
import { type Logger, silentLogger } from "../platform/kernel/logger.ts";
import type { Random } from "../platform/kernel/random.ts";
import { Unavailable } from "../platform/kernel/unavailable.ts";
import { freePort } from "../platform/processes/free-port.ts";
import {
  type SupervisedProcess,
  startSupervised,
  waitForEnd,
} from "../platform/processes/supervised-process.ts";
import { flushBlocks } from "./flush-blocks.ts";

export type UtxoNodeOptions = {
  readonly chain: ChainId;
  readonly sandbox: Pick<UtxoDaemon, "daemonArguments" | "hasDescriptorWallets">;
  /** How many blocks the first start in a folder mines; 130 by default. */
  readonly firstBlocks?: number;
  /** Path of bitcoind or litecoind, see `findDaemon`. */
  readonly program: string;
  /** The node's folder, created when missing; the private chain in it survives restarts. */
  readonly folder: string;
  /** The port of the first start in the folder if it is free; a free port by default. */
  readonly port?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: Random;
  /** More command-line arguments: `["-txindex=0"]`. */
  readonly settings?: readonly string[];
};

/** A private regtest node with a wallet `faucet` that holds mature coins. */
export type UtxoNode = {
  readonly chain: ChainId;
  /** Includes the credentials; the same after every restart in the folder while the port is free. */
  readonly rpcUrl: string;
  readonly faucetWallet: string;
  /** Sends one command to the node; rejects as `JsonRpc.callOnce`. */
  readonly command: <Result>(method: string, params?: readonly unknown[]) => Promise<Result>;
  /** Sends one command to the faucet's wallet. */
  readonly faucet: <Result>(method: string, params?: readonly unknown[]) => Promise<Result>;
  readonly pid: () => number | null;
  /** Resolves when the node has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Resolves once the chain is written and the node has ended. */
  readonly stop: () => Promise<void>;
};

type Site = { readonly port: number; readonly password: string };

const faucetWallet = "faucet";
const rpcUser = "sluice";
/** Blocks until a coinbase can be spent. */
const coinbaseMaturity = 100;
/** 30 coinbases of these are mature: 1,500 coins. */
const usualFirstBlocks = 130;
const maxStarts = 20;
const readyWithinMs = 60_000;

/**
 * Starts bitcoind or litecoind on a private chain: the first start in a folder makes the wallet and mines its coins
 * (1 to 3 s), later ones take under a second. Rejects with `Unavailable` and what the program printed if it does not
 * come up.
 */
export async function startUtxoNode(options: UtxoNodeOptions): Promise<UtxoNode> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const { daemon, rpc, site } = await startOnPort(options);
  const wallet = createClient(options, site, `/wallet/${faucetWallet}`);
  const node: UtxoNode = {
    chain: options.chain,
    rpcUrl: rpcUrl(site),
    faucetWallet,
    command: (method, params = []) => rpc.callOnce(method, params, never),
    faucet: (method, params = []) => wallet.callOnce(method, params, never),
    pid: daemon.programPid,
    ended: daemon.ended,
    stop: async () => {
      await rpc.callOnce("stop", [], never, { timeoutMs: 5_000 }).catch(() => undefined);
      // litecoind waits a few seconds for open connections.
      await Promise.all([rpc.close(), wallet.close()]);
      await stopDaemon(daemon, options.clock);
    },
  };
  try {
    await openFaucet(node, options);
    await untilIndexed(node, options);
  } catch (error) {
    await node.stop();
    throw error;
  }
  return node;
}

const never = new AbortController().signal;

function rpcUrl({ password, port }: Site): string {
  return `http://${rpcUser}:${password}@127.0.0.1:${port}`;
}

function createClient(options: UtxoNodeOptions, site: Site, path: string): JsonRpc {
  const { chain, clock, random } = options;
  return createJsonRpc({
    nodes: [{ url: rpcUrl(site) + path }],
    chain,
    clock,
    random,
    // Faults are expected while the node starts and stops.
    logger: silentLogger,
    timeoutMs: 120_000,
  });
}

/**
 * Uses the port of the last start, or a free one if it is taken. Retries while a node whose owner was killed still holds the
 * folder's lock.
 */
async function startOnPort(
  options: UtxoNodeOptions,
): Promise<{ readonly daemon: SupervisedProcess; readonly rpc: JsonRpc; readonly site: Site }> {
  let site = await openSite(options);
  for (let attempt = 1; ; attempt += 1) {
    const config = await writeConfig(options, site);
    const args = [
      `-datadir=${options.folder}`,
      `-conf=${config}`,
      ...options.sandbox.daemonArguments,
      ...(options.settings ?? []),
    ];
    const daemon = startSupervised(options.program, args, { HOME: options.folder });
    const rpc = createClient(options, site, "/");
    if (await isReady(daemon, rpc, options)) return { daemon, rpc, site };
    await rpc.close();
    if (attempt === maxStarts) throw notStarted(options, daemon);
    if (/unable to (bind|start http)/i.test(daemon.output())) {
      site = { ...site, port: await freePort() };
      await saveSite(options, site);
    } else if (/lock/i.test(daemon.output())) await options.clock.sleep(500);
    else throw notStarted(options, daemon);
  }
}

function notStarted(options: UtxoNodeOptions, daemon: SupervisedProcess): Unavailable {
  return new Unavailable(options.chain, `${options.program} did not start: ${daemon.output()}`);
}

async function isReady(
  daemon: SupervisedProcess,
  rpc: JsonRpc,
  { chain, clock, program }: UtxoNodeOptions,
): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < readyWithinMs; waitedMs += 50) {
    if (daemon.hasEnded()) return false;
    try {
      await rpc.callOnce("getblockcount", [], never, { timeoutMs: 2_000 });
      return true;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
    await clock.sleep(50);
  }
  daemon.kill();
  throw new Unavailable(chain, `${program} answers nothing: ${daemon.output()}`);
}

/**
 * A node answers before its mempool and index are loaded, and would deny knowing those transactions. Rejects with
 * `Unavailable` if that takes too long.
 */
async function untilIndexed(node: UtxoNode, { chain, clock }: UtxoNodeOptions): Promise<void> {
  for (let waitedMs = 0; waitedMs < readyWithinMs; waitedMs += 50) {
    const { loaded } = await node.command<{ readonly loaded: boolean }>("getmempoolinfo");
    const indexes =
      await node.command<Readonly<Record<string, { readonly synced: boolean }>>>("getindexinfo");
    if (loaded && Object.values(indexes).every(({ synced }) => synced)) return;
    await clock.sleep(50);
  }
  throw new Unavailable(chain, "the node does not finish loading its transactions");
}

async function openSite(options: UtxoNodeOptions): Promise<Site> {
  try {
    return JSON.parse(await readFile(join(options.folder, "node.json"), "utf8")) as Site;
  } catch {
    const password = Buffer.from(options.random.bytes(24)).toString("hex");
    const site = { port: options.port ?? (await freePort()), password };
    await saveSite(options, site);
    return site;
  }
}

async function saveSite({ folder }: UtxoNodeOptions, site: Site): Promise<void> {
  const file = join(folder, "node.json");
  await writeFile(`${file}.new`, JSON.stringify(site), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** In a file of mode 0600, because command lines are visible in process lists. */
async function writeConfig({ folder }: UtxoNodeOptions, site: Site): Promise<string> {
  const file = join(folder, "node.conf");
  const lines = [
    "regtest=1",
    "server=1",
    "txindex=1",
    "listen=0",
    "dnsseed=0",
    "printtoconsole=0",
    // A sandbox that was off for a week is not in initial block download.
    "maxtipage=999999999",
    "fallbackfee=0.0001",
    "walletrbf=1",
    // Payments between two blocks chain on the faucet's change.
    "limitancestorcount=500",
    "limitdescendantcount=500",
    "keypool=20",
    "dbcache=16",
    "maxmempool=50",
    "par=1",
    `rpcuser=${rpcUser}`,
    `rpcpassword=${site.password}`,
    "[regtest]",
    `rpcport=${site.port}`,
    "rpcbind=127.0.0.1",
    "rpcallowip=127.0.0.1",
  ];
  await writeFile(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  return file;
}

/** Loads or creates the faucet's wallet and mines until it has coins. */
async function openFaucet(
  node: UtxoNode,
  { firstBlocks = usualFirstBlocks, sandbox }: UtxoNodeOptions,
): Promise<void> {
  const loaded = await node.command<readonly string[]>("listwallets");
  if (!loaded.includes(faucetWallet)) await openWallet(node, sandbox.hasDescriptorWallets);
  const height = await node.command<number>("getblockcount");
  if (height >= firstBlocks) return;
  const paying = Math.max(firstBlocks - coinbaseMaturity - height, 0);
  if (paying > 0) {
    const address = await node.faucet<string>("getnewaddress");
    await node.command("generatetoaddress", [paying, address]);
  }
  // Coins that mature later than anyone waits for would cost the wallet as much as all else.
  await node.command("generatetodescriptor", [firstBlocks - height - paying, "raw(51)"]);
  await flushBlocks(node);
}

async function openWallet(node: UtxoNode, isDescriptors: boolean): Promise<void> {
  try {
    await node.command("loadwallet", [faucetWallet]);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    // Name, no private keys, blank, passphrase, avoid reuse, descriptors, load at start.
    const params = [faucetWallet, false, false, "", false, isDescriptors, true];
    await node.command("createwallet", params);
  }
}

/** Waits for a stopping node; sends SIGTERM after 20 s and SIGKILL after 30 s. */
async function stopDaemon(daemon: SupervisedProcess, clock: Clock): Promise<void> {
  await waitForEnd(daemon.ended, 20_000, clock);
  await daemon.end(clock, 10_000);
}
