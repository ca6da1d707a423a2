import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { builtInCurrencies } from "../../../src/currencies/built-in-currencies.ts";
import { findCoin } from "../../../src/currencies/coins.ts";
import { openFaucet } from "../../../src/main/families/sandbox-families.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { type Anvil, startAnvil } from "../../../src/sandbox/anvil.ts";
import { deployTokens } from "../../../src/sandbox/deploy-tokens.ts";
import type { EvmSite } from "../../../src/sandbox/sandbox-file.ts";
import { quietPort } from "../../scenarios/support/quiet-port.ts";
import { killProcess, type Part } from "../part.ts";
import type { ChaosChain, OpenChainControl, OpenTruth } from "./chaos-chain.ts";
import { evmTruth } from "./evm-truth.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
const never = new AbortController().signal;
const chainId = 1337;

/** A private chain of the EVM family, on Anvil. */
export async function evmChaosChain(chain: string, folder: string): Promise<ChaosChain> {
  const node = evmNodePart(join(folder, "anvil"), await quietPort());
  let site: EvmSite | null = null;
  const prepared = (): EvmSite => present(site, "a prepared chain");
  const restart = async (): Promise<void> => {
    await node.stop();
    await node.start();
  };
  return {
    chain,
    part: node,
    prepare: async () => {
      const coin = present(findCoin(chain), `coin ${chain}`);
      const tokens = await deployTokens(node.node().rpc, coin, never);
      // Deeper than any reorg of the run.
      await node.node().rpc.callOnce("anvil_mine", ["0x14"], never);
      await restart();
      site = { family: "evm", rpc_url: node.node().url, chain_id: chainId, tokens };
      return site;
    },
    // Stopped cleanly, it writes every file that a killed node may fall back to.
    keep: restart,
    openControl: () => evmControl(chain, prepared()),
    openTruth: () => openEvmTruth(chain, prepared()),
    newAddress: newEvmAddress,
    pace: { blockMs: 700, reorgChance: 0.04, faultChance: 0 },
  };
}

/** What the node of a site says. */
export function openEvmTruth(chain: string, { rpc_url, tokens }: EvmSite): OpenTruth {
  const listed = Object.entries(tokens).map(([alpha, contract]) => {
    const token = builtInCurrencies.find((currency) => currency.alpha === alpha);
    return [contract.toLowerCase(), present(token, alpha).id] as const;
  });
  return evmTruth(rpc_url, {
    coin: present(findCoin(chain), chain).coin.id,
    tokens: new Map(listed),
  });
}

/** An address that belongs to no one. */
export function newEvmAddress(): string {
  return `0x${Buffer.from(systemRandom.bytes(20)).toString("hex")}`;
}

/**
 * Anvil saves its chain every five seconds, not atomically: a killed one comes back with fewer blocks, without pending
 * payments, and sometimes from the file of its last start. For the service that is a reorg.
 */
function evmNodePart(folder: string, port: number): Part & { readonly node: () => Anvil } {
  let node: Anvil | null = null;
  let isRunning = false;
  return {
    name: "anvil",
    kind: "node",
    node: () => present(node, "a node that was started"),
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
      node = await startAnvil({ ...world, folder, port, chainId, blockSeconds: null });
      isRunning = true;
    },
    stop: async () => {
      if (isRunning) await node?.stop();
      isRunning = false;
    },
  };
}

/** Pays and mines on the node of a site. */
export function evmControl(chain: string, site: EvmSite): OpenChainControl {
  const faucet = openFaucet(chain, site, world);
  return {
    payableAtOnce: 1,
    pay: async ([intent]) => [await faucet.pay(intent!.alpha, intent!.address, intent!.amount)],
    // The node signs, so no one else has the bytes.
    payAgain: () => Promise.resolve(false),
    mine: async () => {
      await faucet.mine(1);
    },
    finalAfter: 1,
    reorgDepthMax: 4,
    reorg: async (depth, transactions) => {
      await faucet.reorg(depth, transactions);
    },
    misbehave: null,
    close: faucet.close,
  };
}
