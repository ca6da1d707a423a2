import { join } from "node:path";
import { type UtxoChain, utxoChainOf } from "../../chains/utxo/utxo-chain.ts";
import type { Coin } from "../../currencies/coin.ts";
import type { UtxoDaemon, UtxoDialect, UtxoLedgerKind } from "../../currencies/utxo-facts.ts";
import { assert } from "../../platform/kernel/assert.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { Dialect } from "../../sandbox/dialects/dialect.ts";
import type { DialectNode } from "../../sandbox/dialects/start-dialect.ts";
import { type DaemonName, findDaemon } from "../../sandbox/find-daemon.ts";
import { flushEachBlock } from "../../sandbox/flush-blocks.ts";
import type { SandboxChain, UtxoSite } from "../../sandbox/sandbox-file.ts";
import type { SimulatedNode } from "../../sandbox/utxo-ledger/node.ts";
import type { UtxoLedger } from "../../sandbox/utxo-ledger/start-utxo-ledger.ts";
import { type SupervisedPart, supervise } from "../processes/supervise.ts";
import type { SandboxFamily, StartedChain } from "./sandbox-family.ts";

/** The float comes in so many pieces, because the change of one payout must confirm before it pays the next. */
const floatPieces = 40;

const firstBlockInDialect = 2;

/**
 * Bitcoin and its relatives run on their own daemons in regtest where they can be installed, on Bitcoin's behind their node's
 * interface, or simulated.
 */
export function utxoSandbox(coin: Coin): SandboxFamily {
  const utxoChain = utxoChainOf(coin);
  const { chain, sandbox } = utxoChain;
  return {
    isDefault: sandbox.isDefault,
    start: (home, world) => start(utxoChain, home, world).catch(errorMessage),
    createPayer: async (reached, world) => {
      const { createUtxoPayer } = await import("../../sandbox/utxo-payer.ts");
      return createUtxoPayer(chain, siteOf(reached), world);
    },
    // In a dialect, the bytes of the first blocks belong to the node behind.
    chainConfig: () => (sandbox.kind === "dialect" ? { start_height: firstBlockInDialect } : {}),
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
    case "dialect":
      return startInDialect(chain, sandbox, home, world);
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
  const found = find(sandbox.daemon);
  if (found.kind === "missing") return found.reason;
  const { startUtxoNode } = await import("../../sandbox/utxo-node.ts");
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
    pid: () => node.current()?.pid() ?? null,
    failed: node.failed,
    stop: node.stop,
  };
}

function find(daemon: DaemonName): ReturnType<typeof findDaemon> {
  return findDaemon(daemon, {
    path: process.env["PATH"] ?? "",
    home: process.env["HOME"] ?? "/",
    cacheHome: process.env["XDG_CACHE_HOME"] ?? "",
  });
}

const dialects: Readonly<Record<UtxoDialect["dialect"], () => Promise<Dialect>>> = {
  dogecoind: async () => (await import("../../sandbox/dialects/dogecoind.ts")).dogecoind,
  dashd: async () => (await import("../../sandbox/dialects/dashd.ts")).dashd,
};

async function startInDialect(
  { chain }: UtxoChain,
  sandbox: UtxoDialect,
  home: string,
  world: World,
): Promise<StartedChain | string> {
  const found = find("bitcoind");
  if (found.kind === "missing") return found.reason;
  const { firstBlocks } = sandbox;
  const { startDialect } = await import("../../sandbox/dialects/start-dialect.ts");
  const dialect = await dialects[sandbox.dialect]();
  const node = await supervise(
    `the ${chain} node`,
    async () => {
      const started = await startDialect({
        chain,
        sandbox,
        firstBlocks,
        dialect,
        program: found.path,
        folder: join(home, "chains", sandbox.dialect),
        ...world,
      });
      void flushEachBlock(started.node, world);
      return started;
    },
    world,
  );
  return startedChain(chain, node);
}

const ledgers: Readonly<Record<UtxoLedgerKind["ledger"], () => Promise<SimulatedNode>>> = {
  bchn: async () => (await import("../../sandbox/bchn/bchn.ts")).bchn,
  // With all upgrades active.
  zebra: async () => (await import("../../sandbox/zebra/zebra.ts")).zebra({}),
};

async function startLedger(
  { chain }: UtxoChain,
  { ledger }: UtxoLedgerKind,
  home: string,
  world: World,
): Promise<StartedChain> {
  const folder = join(home, "chains", ledger);
  const { startUtxoLedger } = await import("../../sandbox/utxo-ledger/start-utxo-ledger.ts");
  const kind = await ledgers[ledger]();
  const node = await supervise(
    `the ${chain} ledger`,
    () => startUtxoLedger({ kind, folder, port: 0, ...world }),
    world,
  );
  return startedChain(chain, node);
}

/** A simulated chain, as `sandbox.json` describes it. */
function startedChain(
  chain: string,
  { failed, first, stop }: SupervisedPart<UtxoLedger | DialectNode>,
): StartedChain {
  return {
    chain,
    reached: {
      family: "utxo",
      simulated: true,
      rpc_url: first.rpcUrl,
      sandbox_url: first.sandboxUrl,
      faucet_wallet: first.faucetWallet,
    },
    failed,
    stop,
  };
}
