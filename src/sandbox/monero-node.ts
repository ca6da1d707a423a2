import { execFile } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Unavailable } from "../platform/kernel/unavailable.ts";
import type { World } from "../platform/kernel/world.ts";
import { freePort } from "../platform/processes/free-port.ts";
import {
  type SupervisedProcess,
  startSupervised,
} from "../platform/processes/supervised-process.ts";
import { writeAtomically } from "../platform/processes/write-atomically.ts";
import { createMoneroDrive, type MoneroDrive, mineMonero } from "./drive-monero-node.ts";

export type MoneroNodeOptions = World & {
  readonly chain: string;
  /** Paths of monerod and monero-wallet-rpc, see `findDaemon`. */
  readonly programs: { readonly monerod: string; readonly walletRpc: string };
  /** The folder of both, created when missing; the private chain in it survives restarts. */
  readonly folder: string;
  /** How many blocks the first start in a folder mines; 130 by default. */
  readonly firstBlocks?: number;
};

/**
 * A private regtest node, the monero-wallet-rpc of a wallet `faucet` that holds mature outputs, and another one in which the deployment opens a
 * view-only wallet.
 */
export type MoneroNode = {
  readonly chain: string;
  /** The same after every restart in the folder while the port is free. */
  readonly rpcUrl: string;
  readonly walletUrl: string;
  /** A second monero-wallet-rpc, for the deployment's view-only wallet. */
  readonly viewWalletUrl: string;
  readonly drive: MoneroDrive;
  /** Pid of monerod. */
  readonly pid: () => number | null;
  /** Resolves when one of the programs has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Resolves once the chain is written and the programs have ended. */
  readonly stop: () => Promise<void>;
};

type Site = {
  readonly rpcPort: number;
  readonly p2pPort: number;
  readonly walletPort: number;
  readonly viewWalletPort: number;
};

const faucetWallet = "faucet";
/** A wallet program locks its folder's wallets, so each has its own. */
const walletFolders = { faucet: "wallets", view: "view-wallets" };
/** 70 coinbases of these are mature: about 2,400 XMR, and more outputs than a ring needs. */
const usualFirstBlocks = 130;
const readyWithinMs = 60_000;
const maxStarts = 5;
const run = promisify(execFile);

/**
 * Starts monerod and the faucet's monero-wallet-rpc on a private chain: the first start in a folder creates the wallet and mines
 * its coins (about 10 s), later ones take 2 to 5 s. Rejects with `Unavailable` and what a program printed if it does not come up.
 */
export async function startMoneroNode(options: MoneroNodeOptions): Promise<MoneroNode> {
  for (const name of Object.values(walletFolders))
    await mkdir(join(options.folder, name), { recursive: true, mode: 0o700 });
  const walletArguments = await walletArgumentsOf(options.programs.walletRpc);
  let site = await openSite(options);
  for (let attempt = 1; ; attempt += 1) {
    const node = await startOnPorts(options, site, walletArguments);
    if (typeof node !== "string") return node;
    if (attempt === maxStarts || !/bind|in use|failed to initialize/i.test(node))
      throw new Unavailable(options.chain, `the private chain did not start: ${node}`);
    site = await saveSite(options, await freeSite());
  }
}

/** A started node, or what the program that ended early printed. */
async function startOnPorts(
  options: MoneroNodeOptions,
  site: Site,
  walletArguments: readonly string[],
): Promise<MoneroNode | string> {
  const { chain, clock, folder, programs } = options;
  const rpcUrl = `http://127.0.0.1:${site.rpcPort}`;
  const walletUrl = `http://127.0.0.1:${site.walletPort}`;
  const viewWalletUrl = `http://127.0.0.1:${site.viewWalletPort}`;
  const environment = { HOME: folder };
  const daemon = startSupervised(programs.monerod, daemonArguments(folder, site), environment);
  const startWallet = (name: string, port: number): SupervisedProcess =>
    startSupervised(
      programs.walletRpc,
      [
        `--daemon-address=127.0.0.1:${site.rpcPort}`,
        `--rpc-bind-port=${port}`,
        `--wallet-dir=${join(folder, name)}`,
        `--shared-ringdb-dir=${join(folder, `${name}-rings`)}`,
        `--log-file=${join(folder, `${name}.log`)}`,
        ...walletArguments,
      ],
      environment,
    );
  const wallet = startWallet(walletFolders.faucet, site.walletPort);
  const view = startWallet(walletFolders.view, site.viewWalletPort);
  const drive = createMoneroDrive({ ...options, rpcUrl, walletUrl });
  const stop = async (): Promise<void> => {
    await drive.close();
    // The wallets first: they write their files when they end.
    await Promise.all([wallet.end(clock, 20_000), view.end(clock, 20_000)]);
    await daemon.end(clock, 20_000);
  };
  try {
    const isUp =
      (await isReady(daemon, () => drive.daemon("get_info"), options)) &&
      (await isReady(wallet, () => drive.wallet("get_version"), options)) &&
      !view.hasEnded();
    if (!isUp) {
      await stop();
      return `${daemon.output()} ${wallet.output()} ${view.output()}`;
    }
    await openFaucet(drive, options);
  } catch (error) {
    await stop();
    throw error;
  }
  const ended = Promise.race([daemon.ended, wallet.ended, view.ended]);
  const pid = daemon.programPid;
  return { chain, rpcUrl, walletUrl, viewWalletUrl, drive, pid, ended, stop };
}

function daemonArguments(folder: string, { p2pPort, rpcPort }: Site): readonly string[] {
  return [
    "--regtest",
    "--offline",
    "--fixed-difficulty=1",
    "--keep-fakechain",
    `--data-dir=${folder}`,
    `--log-file=${join(folder, "node.log")}`,
    `--rpc-bind-port=${rpcPort}`,
    "--p2p-bind-ip=127.0.0.1",
    `--p2p-bind-port=${p2pPort}`,
    "--no-zmq",
    "--no-igd",
    "--check-updates=disabled",
    "--non-interactive",
  ];
}

/**
 * The arguments of a monero-wallet-rpc on a private chain. Since 0.18.4 it refuses a daemon without the upgrades of a public network, unless
 * one of them allows it.
 */
export async function walletArgumentsOf(walletRpc: string): Promise<readonly string[]> {
  const { stdout } = await run(walletRpc, ["--help"], { timeout: 30_000 });
  const flag = "--allow-mismatched-daemon-version";
  return [
    "--trusted-daemon",
    "--disable-rpc-login",
    "--log-level=0",
    ...(stdout.includes(flag) ? [flag] : []),
  ];
}

async function isReady(
  program: SupervisedProcess,
  ask: () => Promise<unknown>,
  { chain, clock }: MoneroNodeOptions,
): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < readyWithinMs; waitedMs += 100) {
    if (program.hasEnded()) return false;
    try {
      await ask();
      return true;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
    await clock.sleep(100);
  }
  throw new Unavailable(chain, `it answers nothing: ${program.output()}`);
}

/** Opens or creates the faucet's wallet and mines until it has coins. */
async function openFaucet(
  drive: MoneroDrive,
  { firstBlocks = usualFirstBlocks }: MoneroNodeOptions,
): Promise<void> {
  const wallet = { filename: faucetWallet, password: "" };
  await drive
    .wallet("open_wallet", wallet)
    .catch(() => drive.wallet("create_wallet", { ...wallet, language: "English" }));
  // The faucet asks for what is new before each payment.
  await drive.wallet("auto_refresh", { enable: false });
  const { height } = await drive.daemon<{ readonly height: number }>("get_info");
  if (height <= firstBlocks) await mineMonero(drive, firstBlocks + 1 - height);
  await drive.wallet("refresh");
  await drive.wallet("store");
}

async function openSite(options: MoneroNodeOptions): Promise<Site> {
  try {
    return JSON.parse(await readFile(join(options.folder, "node.json"), "utf8")) as Site;
  } catch {
    return await saveSite(options, await freeSite());
  }
}

async function freeSite(): Promise<Site> {
  return {
    rpcPort: await freePort(),
    p2pPort: await freePort(),
    walletPort: await freePort(),
    viewWalletPort: await freePort(),
  };
}

async function saveSite({ folder }: MoneroNodeOptions, site: Site): Promise<Site> {
  await writeAtomically(join(folder, "node.json"), JSON.stringify(site));
  return site;
}
