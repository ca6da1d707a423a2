import { join } from "node:path";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { World } from "../../platform/kernel/world.ts";
import { type Anvil, startAnvil } from "../../sandbox/anvil.ts";
import { deployTokens } from "../../sandbox/deploy-tokens.ts";
import { type DaemonName, findDaemon } from "../../sandbox/find-daemon.ts";
import { flushEachBlock } from "../../sandbox/flush-blocks.ts";
import type { SandboxChain } from "../../sandbox/sandbox-file.ts";
import { startUtxoNode } from "../../sandbox/utxo-node.ts";
import { supervise } from "./supervise.ts";

export type SandboxChains = {
  readonly chains: Readonly<Record<string, SandboxChain>>;
  /** Chains that did not start, and why. */
  readonly missing: readonly { readonly chain: string; readonly reason: string }[];
  /** Resolves with the reason when a node cannot be restarted any more. */
  readonly failed: Promise<string>;
  readonly stop: () => Promise<void>;
};

const chainId = 1337;
const blockSeconds = 2;

type Started = {
  readonly chain: string;
  readonly reached: SandboxChain;
  readonly failed: Promise<string>;
  readonly stop: () => Promise<void>;
};

/**
 * Starts the sandbox's private chains: Ethereum always, Bitcoin and Litecoin where their daemons are installed. A killed node
 * restarts at the same address.
 */
export async function startSandboxChains(home: string, world: World): Promise<SandboxChains> {
  const missing: { chain: string; reason: string }[] = [];
  const orMissing = async (chain: string, start: Promise<Started | string>) => {
    const started = await start.catch((error: unknown) => errorMessage(error));
    if (typeof started === "string") missing.push({ chain, reason: started });
    return typeof started === "string" ? [] : [started];
  };
  const ethereum = startEthereum(home, world);
  const others = await Promise.all([
    orMissing("BTC", startCoin("BTC", "bitcoind", home, world)),
    orMissing("LTC", startCoin("LTC", "litecoind", home, world)),
  ]);
  const started = [await ethereum, ...others.flat()];
  const stop = async (): Promise<void> => {
    await Promise.allSettled(started.map((node) => node.stop()));
  };
  return {
    chains: Object.fromEntries(started.map(({ chain, reached }) => [chain, reached])),
    missing,
    failed: Promise.race(started.map((node) => node.failed)),
    stop,
  };
}

async function startEthereum(home: string, world: World): Promise<Started> {
  const node = await supervise<Anvil>(
    "the ETH node",
    (previous) =>
      startAnvil({
        folder: join(home, "chains", "ethereum"),
        port: previous?.port ?? 0,
        chainId,
        blockSeconds,
        ...world,
      }),
    world,
  );
  const { rpc, url } = node.first;
  const tokens = await deployTokens(rpc, new AbortController().signal).catch(
    async (error: unknown) => {
      await node.stop();
      throw error;
    },
  );
  return {
    chain: "ETH",
    reached: { family: "evm", rpc_url: url, chain_id: chainId, tokens },
    failed: node.failed,
    stop: node.stop,
  };
}

async function startCoin(
  chain: "BTC" | "LTC",
  daemon: DaemonName,
  home: string,
  world: World,
): Promise<Started | string> {
  const found = findDaemon(daemon, {
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
        program: found.path,
        folder: join(home, "chains", daemon),
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
