import { join } from "node:path";
import type { Coin } from "../../currencies/coin.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { SandboxChain, StellarSite } from "../../sandbox/sandbox-file.ts";
import type { Stellar } from "../../sandbox/stellar/start-stellar.ts";
import { supervise } from "../processes/supervise.ts";
import type { SandboxFamily, StartedChain } from "./sandbox-family.ts";

/** Stellar runs on this project's own ledger, with a test token in place of the issuer's. */
export function stellarSandbox({ chain: { id } }: Coin): SandboxFamily {
  return {
    isDefault: false,
    start: (home, world) => start(id, home, world),
    createPayer: async (reached, world) => {
      const { createStellarPayer } = await import("../../sandbox/stellar-payer.ts");
      return createStellarPayer(id, siteOf(reached), world);
    },
    // The first ledger is number 1.
    chainConfig: (reached) => ({
      network_passphrase: siteOf(reached).network_passphrase,
      start_height: 1,
      // Payouts with different memos then leave in the same ledger.
      channels: 10,
    }),
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

function siteOf(reached: SandboxChain): StellarSite {
  assert(reached.family === "stellar", "a Stellar network of the sandbox");
  return reached;
}

async function start(chain: string, home: string, world: World): Promise<StartedChain> {
  const { startStellar } = await import("../../sandbox/stellar/start-stellar.ts");
  const folder = join(home, "chains", "stellar");
  const ledger = await supervise<Stellar>(
    `the ${chain} ledger`,
    (previous) => startStellar({ folder, port: previous?.port ?? 0, minesOnTime: true, ...world }),
    world,
  );
  const { faucetSecret, horizonUrl, networkPassphrase, rpcUrl, sandboxUrl, tokens } = ledger.first;
  return {
    chain,
    reached: {
      family: "stellar",
      simulated: true,
      rpc_url: rpcUrl,
      horizon_url: horizonUrl,
      sandbox_url: sandboxUrl,
      faucet_secret: faucetSecret,
      network_passphrase: networkPassphrase,
      tokens,
    },
    failed: ledger.failed,
    stop: ledger.stop,
  };
}
