import { join } from "node:path";
import { type UtxoChain, utxoChainOf } from "../../chains/utxo/utxo-chain.ts";
import type { Coin } from "../../currencies/coin.ts";
import type { UtxoDaemon, UtxoLedgerKind } from "../../currencies/utxo-facts.ts";
import { assert } from "../../platform/kernel/assert.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { World } from "../../platform/kernel/world.ts";
import { bchn } from "../../sandbox/bchn/bchn.ts";
import { findDaemon } from "../../sandbox/find-daemon.ts";
import { flushEachBlock } from "../../sandbox/flush-blocks.ts";
import type { SandboxChain, UtxoSite } from "../../sandbox/sandbox-file.ts";
import type { SimulatedNode } from "../../sandbox/utxo-ledger/node.ts";
import { startUtxoLedger } from "../../sandbox/utxo-ledger/start-utxo-ledger.ts";
import { startUtxoNode } from "../../sandbox/utxo-node.ts";
import { createUtxoPayer } from "../../sandbox/utxo-payer.ts";
import { zebra } from "../../sandbox/zebra/zebra.ts";
import { supervise } from "../processes/supervise.ts";
import type { SandboxFamily, StartedChain } from "./sandbox-family.ts";

/** The float comes in so many pieces, because the change of one payout must confirm before it pays the next. */
const floatPieces = 40;

/** Bitcoin and its relatives run on their own daemons in regtest where they can be installed, and simulated elsewhere. */
export function utxoSandbox(coin: Coin): SandboxFamily {
  const utxoChain = utxoChainOf(coin);
  const { chain, sandbox } = utxoChain;
  return {
    isDefault: sandbox.isDefault,
    start: (home, world) => start(utxoChain, home, world).catch(errorMessage),
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

function start(chain: UtxoChain, home: string, world: World): Promise<StartedChain | string> {
  const { sandbox } = chain;
  switch (sandbox.kind) {
    case "daemon":
      return startDaemon(chain, sandbox, home, world);
    case "ledger":
      return startLedger(chain, sandbox, home, world);
  }
}

async function startDaemon(
  { chain }: UtxoChain,
  sandbox: UtxoDaemon,
  home: string,
  world: World,
): Promise<StartedChain | string> {
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

const ledgers: Readonly<Record<UtxoLedgerKind["ledger"], SimulatedNode>> = {
  bchn,
  // With all upgrades active.
  zebra: zebra({}),
};

async function startLedger(
  { chain }: UtxoChain,
  { ledger }: UtxoLedgerKind,
  home: string,
  world: World,
): Promise<StartedChain> {
  const folder = join(home, "chains", ledger);
  const node = await supervise(
    `the ${chain} ledger`,
    () => startUtxoLedger({ kind: ledgers[ledger], folder, port: 0, ...world }),
    world,
  );
  const { faucetWallet, rpcUrl, sandboxUrl } = node.first;
  return {
    chain,
    reached: {
      family: "utxo",
      simulated: true,
      rpc_url: rpcUrl,
      sandbox_url: sandboxUrl,
      faucet_wallet: faucetWallet,
    },
    failed: node.failed,
    stop: node.stop,
  };
}
