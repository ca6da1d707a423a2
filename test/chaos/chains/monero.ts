import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { findCoin } from "../../../src/currencies/coins.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import { parseDecimal } from "../../../src/platform/kernel/decimal.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import {
  type MoneroDrive,
  mineMonero,
  payFromMoneroFaucet,
  reorgMonero,
} from "../../../src/sandbox/drive-monero-node.ts";
import { type DaemonName, findDaemon } from "../../../src/sandbox/find-daemon.ts";
import {
  type MoneroNode,
  type MoneroNodeOptions,
  startMoneroNode,
} from "../../../src/sandbox/monero-node.ts";
import { quietPort } from "../../scenarios/support/quiet-port.ts";
import { killProcess, type Part } from "../part.ts";
import type { ChaosChain, OpenChainControl } from "./chaos-chain.ts";
import { createAddresses, moneroTruth } from "./monero-truth.ts";

type Programs = MoneroNodeOptions["programs"];

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
const exp = 12;
/** More than a run pays. */
const receivers = 600;
/** Blocks from flush to flush: what a kill can cost. */
const blocksPerFlush = 3;

/** Monero's own daemon and wallets on a private chain, or the reason why they cannot run here. */
export async function moneroChaosChain(chain: string, home: string): Promise<ChaosChain | string> {
  const [monerod, walletRpc] = [find("monerod"), find("monero-wallet-rpc")];
  if (monerod.kind !== "found") return monerod.reason;
  if (walletRpc.kind !== "found") return walletRpc.reason;
  const folder = join(home, "monero");
  await reservePorts(folder);
  const programs = { monerod: monerod.path, walletRpc: walletRpc.path };
  const node = moneroNodePart(chain, folder, programs);
  const unused: string[] = [];
  return {
    chain,
    part: node,
    prepare: async () => {
      const { rpcUrl, viewWalletUrl, walletUrl } = node.node();
      // The faucet's own wallet shows what its subaddresses receive.
      unused.push(...(await createAddresses(walletUrl, receivers)));
      return {
        family: "monero",
        rpc_url: rpcUrl,
        faucet_wallet_url: walletUrl,
        view_wallet_url: viewWalletUrl,
      };
    },
    keep: () => flush(node.node().drive),
    openControl: () => moneroControl(() => node.node().drive),
    openTruth: () =>
      moneroTruth({
        home,
        walletRpc: programs.walletRpc,
        node: node.node,
        currency: present(findCoin(chain), chain).coin.id,
      }),
    newAddress: () => present(unused.shift(), "an address that no payout has"),
    pace: { blockMs: 1_500, reorgChance: 0.05, faultChance: 0.03 },
  };
}

function find(daemon: DaemonName): ReturnType<typeof findDaemon> {
  return findDaemon(daemon, {
    path: process.env["PATH"] ?? "",
    home: homedir(),
    cacheHome: process.env["XDG_CACHE_HOME"] ?? "",
  });
}

/** Ports that nobody else takes while the node is down. */
async function reservePorts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const site = {
    rpcPort: await quietPort(),
    p2pPort: await quietPort(),
    walletPort: await quietPort(),
    viewWalletPort: await quietPort(),
  };
  await writeFile(join(folder, "node.json"), JSON.stringify(site));
}

/** monerod is killed; its wallets, without it useless, end and start with it. */
function moneroNodePart(
  chain: string,
  folder: string,
  programs: Programs,
): Part & { readonly node: () => MoneroNode } {
  const name = "monerod";
  let node: MoneroNode | null = null;
  let isRunning = false;
  return {
    name,
    kind: "node",
    node: () => present(node, "a node that was started"),
    kill: async () => {
      if (node === null || !isRunning) return `${name} (not running)`;
      isRunning = false;
      killProcess(present(node.pid(), "a running monerod"));
      await node.ended;
      await node.stop();
      return name;
    },
    start: async () => {
      if (isRunning) return;
      node = await startMoneroNode({ ...world, chain, folder, programs });
      await flush(node.drive);
      isRunning = true;
    },
    stop: async () => {
      if (isRunning) await node?.stop();
      isRunning = false;
    },
  };
}

/** monerod writes its blocks to the disk in batches: a killed one comes back with the chain of the last time. */
async function flush({ path }: MoneroDrive): Promise<void> {
  await path("/save_bc");
}

/** `drive`: of whichever node runs now. */
function moneroControl(drive: () => MoneroDrive): OpenChainControl {
  let blocks = 0;
  return {
    payableAtOnce: 3,
    pay: async (intents) => {
      const payments = intents.map(({ address, amount }) => ({ address, units: unitsOf(amount) }));
      const txid = await payFromMoneroFaucet(drive(), payments);
      return intents.map(() => txid);
    },
    // The faucet's wallet forgets the bytes of what it has sent.
    payAgain: () => Promise.resolve(false),
    mine: async () => {
      await mineMonero(drive(), 1);
      blocks += 1;
      if (blocks % blocksPerFlush === 0) await flush(drive());
    },
    finalAfter: 1,
    reorgDepthMax: 4,
    reorg: (depth, transactions) => reorgMonero(drive(), depth, transactions),
    /** Nobody else has received what waits. */
    misbehave: async () => {
      await drive().daemon("flush_txpool");
    },
    close: () => Promise.resolve(),
  };
}

function unitsOf(amount: string): bigint {
  const parsed = parseDecimal(amount, exp);
  if (parsed.kind !== "units") throw new Error(`no amount of a coin: ${amount}`);
  return parsed.units;
}
