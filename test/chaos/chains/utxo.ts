import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { Address } from "@scure/btc-signer/payment.js";
import { findCoin } from "../../../src/currencies/coins.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import { parseDecimal } from "../../../src/platform/kernel/decimal.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { mineBlocks, payFromFaucet, reorgBlocks } from "../../../src/sandbox/drive-utxo-node.ts";
import { findDaemon } from "../../../src/sandbox/find-daemon.ts";
import { startUtxoNode, type UtxoNode } from "../../../src/sandbox/utxo-node.ts";
import { quietPort } from "../../scenarios/support/quiet-port.ts";
import { daemonOf, utxoChain } from "../../support/known-chains.ts";
import { killProcess, type Part } from "../part.ts";
import type { ChaosChain, OpenChainControl } from "./chaos-chain.ts";
import { utxoTruth } from "./utxo-truth.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };

/** Blocks from flush to flush: what a kill can cost. */
const blocksPerFlush = 4;

/** A private chain of the Bitcoin family, or the reason why its daemon cannot run here. */
export async function utxoChaosChain(chain: string, home: string): Promise<ChaosChain | string> {
  const coin = present(findCoin(chain), `coin ${chain}`);
  const sandbox = daemonOf(utxoChain(chain));
  const found = findDaemon(sandbox.daemon, {
    path: process.env["PATH"] ?? "",
    home: homedir(),
    cacheHome: process.env["XDG_CACHE_HOME"] ?? "",
  });
  if (found.kind !== "found") return found.reason;
  const folder = join(home, sandbox.daemon);
  const node = utxoNodePart(chain, folder, found.path, await quietPort());
  return {
    chain,
    part: node,
    prepare: () => {
      const { rpcUrl, faucetWallet } = node.node();
      return Promise.resolve({ family: "utxo", rpc_url: rpcUrl, faucet_wallet: faucetWallet });
    },
    keep: () => flush(node.node()),
    openControl: () => utxoControl(node.node),
    openTruth: () => utxoTruth(node.node, coin.coin.id),
    newAddress: () => newAddress(chain),
    pace: { blockMs: 1_200, reorgChance: 0.05, faultChance: 0 },
  };
}

/**
 * bitcoind and its relatives rarely flush their chain state in regtest: a killed one comes back with the chain of the last flush.
 * Its wallet knows more, and sends the payments of lost blocks again.
 */
function utxoNodePart(
  chain: string,
  folder: string,
  program: string,
  port: number,
): Part & { readonly node: () => UtxoNode } {
  const sandbox = daemonOf(utxoChain(chain));
  const name = sandbox.daemon;
  let node: UtxoNode | null = null;
  let isRunning = false;
  return {
    name,
    kind: "node",
    node: () => present(node, "a node that was started"),
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
async function flush(node: UtxoNode): Promise<void> {
  await node.command("gettxoutsetinfo", ["none"]);
}

/** `node`: whichever runs now. */
function utxoControl(node: () => UtxoNode): OpenChainControl {
  let blocks = 0;
  return {
    payableAtOnce: 3,
    pay: async (intents) => {
      const txid = await payFromFaucet(
        node(),
        intents.map(({ address, amount }) => ({ address, units: coinUnits(amount) })),
      );
      return intents.map(() => txid);
    },
    payAgain: async (txid) => {
      try {
        const { hex } = await node().faucet<{ readonly hex: string }>("gettransaction", [txid]);
        await node().command("sendrawtransaction", [hex]);
        return true;
      } catch {
        return false;
      }
    },
    mine: async () => {
      await mineBlocks(node(), 1);
      blocks += 1;
      if (blocks % blocksPerFlush === 0) await flush(node());
    },
    finalAfter: 1,
    reorgDepthMax: 4,
    reorg: (depth, transactions) => reorgBlocks(node(), depth, transactions),
    misbehave: null,
    close: () => Promise.resolve(),
  };
}

function coinUnits(amount: string): bigint {
  const parsed = parseDecimal(amount, 8);
  if (parsed.kind !== "units") throw new Error(`no amount of a coin: ${amount}`);
  return parsed.units;
}

function newAddress(chain: string): string {
  const { segwitPrefix, publicKeyHashPrefix } = utxoChain(chain).networks.regtest;
  const pubKeyHash = Number.parseInt(publicKeyHashPrefix, 16);
  // The others are not part of an address of this type.
  const bech32 = present(segwitPrefix, `the segwit prefix of ${chain}`);
  const network = { bech32, pubKeyHash, scriptHash: 0, wif: 0 };
  return Address(network).encode({ type: "wpkh", hash: systemRandom.bytes(20) });
}
