import { join } from "node:path";
import type { Coin } from "../../currencies/coin.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { Algorand } from "../../sandbox/algorand/start-algorand.ts";
import type { AlgorandSite, SandboxChain } from "../../sandbox/sandbox-file.ts";
import { supervise } from "../processes/supervise.ts";
import type { SandboxFamily, StartedChain } from "./sandbox-family.ts";

/** Algorand runs on this project's own ledger, with a test asset in place of the issuer's. */
export function algorandSandbox({ chain: { id } }: Coin): SandboxFamily {
  return {
    isDefault: false,
    start: (home, world) => start(id, home, world),
    createPayer: async (reached, world) => {
      const { createAlgorandPayer } = await import("../../sandbox/algorand-payer.ts");
      return createAlgorandPayer(id, siteOf(reached), world);
    },
    chainConfig: (reached) => {
      const { genesis_hash, rpc_token, rpc_url } = siteOf(reached);
      return {
        genesis_hash,
        start_height: 1,
        nodes: [{ url: rpc_url, headers: { "x-algo-api-token": rpc_token }, header_files: {} }],
      };
    },
    tokens: (reached) => siteOf(reached).tokens,
    minesByItself: true,
    floats: (reached) => ({
      hot: [
        { alpha: id, amount: "100000", times: 1 },
        ...Object.keys(siteOf(reached).tokens).map((alpha) => ({
          alpha,
          amount: "1000000",
          times: 1,
        })),
      ],
      gas: [{ alpha: id, amount: "20000", times: 1 }],
    }),
  };
}

function siteOf(reached: SandboxChain): AlgorandSite {
  assert(reached.family === "algorand", "an Algorand chain of the sandbox");
  return reached;
}

async function start(chain: string, home: string, world: World): Promise<StartedChain> {
  const { network } = await import("../../sandbox/algorand/genesis.ts");
  const { startAlgorand } = await import("../../sandbox/algorand/start-algorand.ts");
  const folder = join(home, "chains", "algorand");
  const ledger = await supervise<Algorand>(
    `the ${chain} ledger`,
    (previous) => startAlgorand({ folder, port: previous?.port ?? 0, minesOnTime: true, ...world }),
    world,
  );
  const { url, token, sandboxUrl, faucetMnemonic, assets } = ledger.first;
  return {
    chain,
    reached: {
      family: "algorand",
      simulated: true,
      rpc_url: url,
      rpc_token: token,
      sandbox_url: sandboxUrl,
      faucet_mnemonic: faucetMnemonic,
      genesis_hash: Buffer.from(network.genesisHash).toString("base64"),
      tokens: Object.fromEntries(
        Object.entries(assets).map(([alpha, asset]) => [alpha, asset.toString()]),
      ),
    },
    failed: ledger.failed,
    stop: ledger.stop,
  };
}
