import { join } from "node:path";
import { evmChainOf } from "../../chains/evm/evm-chain.ts";
import type { Coin } from "../../currencies/coin.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { Anvil } from "../../sandbox/anvil.ts";
import type { EvmSite, SandboxChain } from "../../sandbox/sandbox-file.ts";
import { supervise } from "../processes/supervise.ts";
import type { SandboxFamily, StartedChain } from "./sandbox-family.ts";

const blockSeconds = 2;

/** EVM chains run on Anvil, with test tokens in place of the issuers'. */
export function evmSandbox(coin: Coin): SandboxFamily {
  const { chain, sandbox } = evmChainOf(coin);
  return {
    isDefault: sandbox.isDefault,
    start: (home, world) => start(coin, home, world),
    createPayer: async (reached, world) => {
      const { createEvmPayer } = await import("../../sandbox/evm-payer.ts");
      return createEvmPayer(chain, siteOf(reached), world);
    },
    chainConfig: (reached) => ({ chain_id: siteOf(reached).chain_id }),
    tokens: (reached) => siteOf(reached).tokens,
    minesByItself: true,
    floats: (reached) => ({
      hot: [
        { alpha: chain, amount: "250", times: 1 },
        ...Object.keys(siteOf(reached).tokens).map((alpha) => ({
          alpha,
          amount: "1000000",
          times: 1,
        })),
      ],
      gas: [{ alpha: chain, amount: "50", times: 1 }],
    }),
  };
}

function siteOf(reached: SandboxChain): EvmSite {
  assert(reached.family === "evm", "an EVM chain of the sandbox");
  return reached;
}

async function start(coin: Coin, home: string, world: World): Promise<StartedChain> {
  const { deployTokens } = await import("../../sandbox/deploy-tokens.ts");
  const { startAnvil } = await import("../../sandbox/anvil.ts");
  const { chain, sandbox } = evmChainOf(coin);
  const { chainId } = sandbox;
  const folder = join(home, "chains", coin.chain.name.toLowerCase().replaceAll(" ", "-"));
  const node = await supervise<Anvil>(
    `the ${chain} node`,
    (previous) =>
      startAnvil({ folder, port: previous?.port ?? 0, chainId, blockSeconds, ...world }),
    world,
  );
  const { rpc, url } = node.first;
  const tokens = await deployTokens(rpc, coin, new AbortController().signal).catch(
    async (error: unknown) => {
      await node.stop();
      throw error;
    },
  );
  return {
    chain,
    reached: { family: "evm", rpc_url: url, chain_id: chainId, tokens },
    pid: () => node.current()?.pid() ?? null,
    failed: node.failed,
    stop: node.stop,
  };
}
