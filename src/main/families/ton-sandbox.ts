import { join } from "node:path";
import type { Coin } from "../../currencies/coin.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { SandboxChain, TonSite } from "../../sandbox/sandbox-file.ts";
import type { Ton } from "../../sandbox/ton/start-ton.ts";
import { supervise } from "../processes/supervise.ts";
import type { SandboxFamily, StartedChain } from "./sandbox-family.ts";

/** TON runs on this project's own ledger, with a test token in place of the issuer's. */
export function tonSandbox({ chain: { id } }: Coin): SandboxFamily {
  return {
    isDefault: false,
    start: (home, world) => start(id, home, world),
    createPayer: async (reached, world) => {
      const { createTonPayer } = await import("../../sandbox/ton-payer.ts");
      return createTonPayer(id, siteOf(reached), world);
    },
    // The first masterchain block is number 1.
    chainConfig: (reached) => {
      const { global_id, jetton_wallets } = siteOf(reached);
      return { global_id, jetton_wallets, start_height: 1 };
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
    }),
  };
}

function siteOf(reached: SandboxChain): TonSite {
  assert(reached.family === "ton", "a TON network of the sandbox");
  return reached;
}

async function start(chain: string, home: string, world: World): Promise<StartedChain> {
  const { startTon } = await import("../../sandbox/ton/start-ton.ts");
  const folder = join(home, "chains", "ton");
  const ledger = await supervise<Ton>(
    `the ${chain} ledger`,
    (previous) => startTon({ folder, port: previous?.port ?? 0, minesOnTime: true, ...world }),
    world,
  );
  const { faucetSecretKey, globalId, jettonWallets, sandboxUrl, tokens, url, v3Url } = ledger.first;
  return {
    chain,
    reached: {
      family: "ton",
      simulated: true,
      rpc_url: url,
      v3_url: v3Url,
      sandbox_url: sandboxUrl,
      faucet_secret_key: faucetSecretKey,
      global_id: globalId,
      jetton_wallets: jettonWallets,
      tokens,
    },
    failed: ledger.failed,
    stop: ledger.stop,
  };
}
