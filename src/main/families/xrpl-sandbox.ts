import { join } from "node:path";
import type { Coin } from "../../currencies/coin.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { SandboxChain, XrplSite } from "../../sandbox/sandbox-file.ts";
import type { Xrpl } from "../../sandbox/xrpl/start-xrpl.ts";
import { supervise } from "../processes/supervise.ts";
import type { SandboxFamily, StartedChain } from "./sandbox-family.ts";

/** The XRP Ledger runs on this project's own ledger. */
export function xrplSandbox({ chain: { id } }: Coin): SandboxFamily {
  return {
    isDefault: false,
    start: (home, world) => start(id, home, world),
    createPayer: async (reached, world) => {
      const { createXrplPayer } = await import("../../sandbox/xrpl-payer.ts");
      return createXrplPayer(id, siteOf(reached), world);
    },
    // The first ledger is number 1.
    chainConfig: (reached) => ({ chain_id: siteOf(reached).network_id, start_height: 1 }),
    tokens: () => ({}),
    minesByItself: true,
    floats: () => ({ hot: [{ alpha: id, amount: "100000", times: 1 }] }),
  };
}

function siteOf(reached: SandboxChain): XrplSite {
  assert(reached.family === "xrpl", "an XRP Ledger of the sandbox");
  return reached;
}

async function start(chain: string, home: string, world: World): Promise<StartedChain> {
  const { startXrpl } = await import("../../sandbox/xrpl/start-xrpl.ts");
  const folder = join(home, "chains", "xrpl");
  const ledger = await supervise<Xrpl>(
    `the ${chain} ledger`,
    (previous) => startXrpl({ folder, port: previous?.port ?? 0, closesOnTime: true, ...world }),
    world,
  );
  const { faucetSeed, networkId, sandboxUrl, url, wsUrl } = ledger.first;
  return {
    chain,
    reached: {
      family: "xrpl",
      simulated: true,
      rpc_url: url,
      ws_url: wsUrl,
      sandbox_url: sandboxUrl,
      faucet_seed: faucetSeed,
      network_id: networkId,
    },
    failed: ledger.failed,
    stop: ledger.stop,
  };
}
