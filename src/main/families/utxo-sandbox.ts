import { join } from "node:path";
import { utxoChainOf } from "../../chains/utxo/utxo-chain.ts";
import type { Coin } from "../../currencies/coin.ts";
import { assert } from "../../platform/kernel/assert.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { World } from "../../platform/kernel/world.ts";
import { findDaemon } from "../../sandbox/find-daemon.ts";
import { flushEachBlock } from "../../sandbox/flush-blocks.ts";
import type { SandboxChain, UtxoSite } from "../../sandbox/sandbox-file.ts";
import { startUtxoNode } from "../../sandbox/utxo-node.ts";
import { createUtxoPayer } from "../../sandbox/utxo-payer.ts";
import { supervise } from "../processes/supervise.ts";
import type { SandboxFamily, StartedChain } from "./sandbox-family.ts";

/** The float comes in so many pieces, because the change of one payout must confirm before it pays the next. */
const floatPieces = 40;

/** Bitcoin and its relatives run on their own daemons in regtest, where they are installed. */
export function utxoSandbox(coin: Coin): SandboxFamily {
  const { chain, sandbox } = utxoChainOf(coin);
  return {
    isDefault: sandbox.isDefault,
    start: (home, world) => start(coin, home, world).catch(errorMessage),
    createPayer: (reached, world) => createUtxoPayer(chain, siteOf(reached), world),
    chainConfig: () => ({}),
    tokens: () => ({}),
    minesByItself: false,
    floats: () => ({
      change: [{ alpha: chain, amount: sandbox.floatPiece, times: floatPieces }],
    }),
  };
}

function siteOf(reached: SandboxChain): UtxoSite {
  assert(reached.family === "utxo", "a chain of coins of the sandbox");
  return reached;
}

async function start(coin: Coin, home: string, world: World): Promise<StartedChain | string> {
  const { chain, sandbox } = utxoChainOf(coin);
  const found = findDaemon(sandbox.daemon, {
    path: process.env["PATH"] ?? "",
    home: process.env["HOME"] ?? "/",
    cacheHome: process.env["XDG_CACHE_HOME"] ?? "",
  });
  if (found.kind === "missing") return found.reason;
  const node = await supervise(
    `the ${chain} node`,
    async () => {
      const started = await startUtxoNode({
        chain,
        sandbox,
        program: found.path,
        folder: join(home, "chains", sandbox.daemon),
        ...world,
      });
      void flushEachBlock(started, world);
      return started;
    },
    world,
  );
  const { rpcUrl, faucetWallet } = node.first;
  return {
    chain,
    reached: { family: "utxo", rpc_url: rpcUrl, faucet_wallet: faucetWallet },
    failed: node.failed,
    stop: node.stop,
  };
}
