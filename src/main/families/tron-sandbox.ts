import { join } from "node:path";
import type { Coin } from "../../currencies/coin.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { SandboxChain, TronSite } from "../../sandbox/sandbox-file.ts";
import type { Tron } from "../../sandbox/tron/start-tron.ts";
import { supervise } from "../processes/supervise.ts";
import type { SandboxFamily, StartedChain } from "./sandbox-family.ts";

/** TRON runs on this project's own ledger, with a test token in place of the issuer's. */
export function tronSandbox({ chain: { id } }: Coin): SandboxFamily {
  return {
    isDefault: true,
    start: (home, world) => start(id, home, world),
    createPayer: async (reached, world) => {
      const { createTronPayer } = await import("../../sandbox/tron-payer.ts");
      return createTronPayer(id, siteOf(reached), world);
    },
    chainConfig: () => ({}),
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

function siteOf(reached: SandboxChain): TronSite {
  assert(reached.family === "tron", "a TRON chain of the sandbox");
  return reached;
}

async function start(chain: string, home: string, world: World): Promise<StartedChain> {
  const { startTron } = await import("../../sandbox/tron/start-tron.ts");
  const folder = join(home, "chains", "tron");
  const ledger = await supervise<Tron>(
    `the ${chain} ledger`,
    (previous) => startTron({ folder, port: previous?.port ?? 0, minesOnTime: true, ...world }),
    world,
  );
  const { url, sandboxUrl, faucetPrivateKey, tokens } = ledger.first;
  return {
    chain,
    reached: {
      family: "tron",
      simulated: true,
      rpc_url: url,
      sandbox_url: sandboxUrl,
      faucet_private_key: faucetPrivateKey,
      tokens,
    },
    failed: ledger.failed,
    stop: ledger.stop,
  };
}
