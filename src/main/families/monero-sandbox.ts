import { join } from "node:path";
import type { Coin } from "../../currencies/coin.ts";
import { assert } from "../../platform/kernel/assert.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { World } from "../../platform/kernel/world.ts";
import { type DaemonName, findDaemon } from "../../sandbox/find-daemon.ts";
import type { MoneroSite, SandboxChain } from "../../sandbox/sandbox-file.ts";
import { supervise } from "../processes/supervise.ts";
import type { SandboxFamily, StartedChain } from "./sandbox-family.ts";

/** Several payouts at once need several coins, because change is locked for ten blocks. */
const floatPieces = 12;

/** Monero runs on its own daemon on a private chain, with its own wallet as the faucet, where they can be installed. */
export function moneroSandbox({ chain: { id } }: Coin): SandboxFamily {
  return {
    isDefault: false,
    start: (home, world) => start(id, home, world).catch(errorMessage),
    createPayer: async (reached, world) => {
      const { createMoneroPayer } = await import("../../sandbox/monero-payer.ts");
      return createMoneroPayer(id, siteOf(reached), world);
    },
    chainConfig: (reached) => ({
      // Block 0 is in a format that no later block has.
      start_height: 1,
      wallet: { url: siteOf(reached).view_wallet_url, headers: {}, header_files: {} },
    }),
    tokens: () => ({}),
    minesByItself: false,
    floats: () => ({ change: [{ alpha: id, amount: "25", times: floatPieces }] }),
  };
}

function siteOf(reached: SandboxChain): MoneroSite {
  assert(reached.family === "monero", "a Monero chain of the sandbox");
  return reached;
}

async function start(chain: string, home: string, world: World): Promise<StartedChain | string> {
  const monerod = find("monerod");
  const walletRpc = find("monero-wallet-rpc");
  if (monerod.kind === "missing") return monerod.reason;
  if (walletRpc.kind === "missing") return walletRpc.reason;
  const { startMoneroNode } = await import("../../sandbox/monero-node.ts");
  const node = await supervise(
    `the ${chain} node`,
    () =>
      startMoneroNode({
        chain,
        programs: { monerod: monerod.path, walletRpc: walletRpc.path },
        folder: join(home, "chains", "monero"),
        ...world,
      }),
    world,
  );
  const { rpcUrl, viewWalletUrl, walletUrl } = node.first;
  return {
    chain,
    reached: {
      family: "monero",
      rpc_url: rpcUrl,
      faucet_wallet_url: walletUrl,
      view_wallet_url: viewWalletUrl,
    },
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
