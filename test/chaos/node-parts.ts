import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { type Anvil, startAnvil } from "../../src/sandbox/anvil.ts";
import { startUtxoNode, type UtxoNode } from "../../src/sandbox/utxo-node.ts";
import { daemonOf as sandboxDaemonOf, utxoChain } from "../support/known-chains.ts";
import { killProcess, type Part } from "./part.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
export const evmChainId = 1337;
export const daemonOf = { BTC: "bitcoind", LTC: "litecoind" } as const;

export type NodePart<Node> = Part & {
  /** The current node, or the last one. */
  readonly node: () => Node;
};

/**
 * Anvil saves its chain every five seconds, not atomically: a killed one comes back with fewer blocks, without pending
 * payments, and sometimes from the file of its last start. For the service that is a reorg.
 */
export function evmNodePart(folder: string, port: number): NodePart<Anvil> {
  let node: Anvil | null = null;
  let isRunning = false;
  return {
    name: "anvil",
    kind: "node",
    node: () => presentNode(node),
    kill: async () => {
      if (node === null || !isRunning) return "anvil (not running)";
      isRunning = false;
      // The keeper's process, which leads the group.
      killProcess(-Number(await readFile(join(folder, "pid"), "utf8")));
      await node.ended;
      await node.stop();
      return "anvil";
    },
    start: async () => {
      if (isRunning) return;
      node = await startAnvil({ ...world, folder, port, chainId: evmChainId, blockSeconds: null });
      isRunning = true;
    },
    stop: async () => {
      if (isRunning) await node?.stop();
      isRunning = false;
    },
  };
}

export type CoinChain = "BTC" | "LTC";

/**
 * bitcoind and litecoind rarely flush their chain state in regtest: a killed one comes back with the chain of the last flush.
 * Its wallet knows more, and sends the payments of lost blocks again.
 */
export function coinNodePart(
  chain: CoinChain,
  folder: string,
  program: string,
  port: number,
): NodePart<UtxoNode> {
  const sandbox = sandboxDaemonOf(utxoChain(chain));
  const name = daemonOf[chain];
  let node: UtxoNode | null = null;
  let isRunning = false;
  return {
    name,
    kind: "node",
    node: () => presentNode(node),
    kill: async () => {
      if (node === null || !isRunning) return `${name} (not running)`;
      isRunning = false;
      killProcess(Number(await readFile(join(folder, "regtest", `${name}.pid`), "utf8")));
      await node.ended;
      await node.stop();
      return name;
    },
    start: async () => {
      if (isRunning) return;
      node = await startUtxoNode({ ...world, folder, program, chain, sandbox, port });
      await flush(node);
      isRunning = true;
    },
    stop: async () => {
      if (isRunning) await node?.stop();
      isRunning = false;
    },
  };
}

/** Makes the node flush everything, as one of a public network does every hour; a side effect of this command. */
export async function flush(node: Pick<UtxoNode, "command">): Promise<void> {
  await node.command("gettxoutsetinfo", ["none"]);
}

function presentNode<Node>(node: Node | null): Node {
  if (node === null) throw new Error("the node was never started");
  return node;
}
