import { join } from "node:path";
import type { Coin } from "../../currencies/coin.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { Cardano } from "../../sandbox/cardano/start-cardano.ts";
import type { CardanoSite, SandboxChain } from "../../sandbox/sandbox-file.ts";
import { supervise } from "../processes/supervise.ts";
import type { SandboxFamily, StartedChain } from "./sandbox-family.ts";

/** The float comes in so many pieces, because the change of one payout must confirm before it pays the next. */
const floatPieces = 40;
/** In whole coins. */
const floatPiece = "2500";

/** Cardano runs on this project's own ledger, by the rules of scalus. */
export function cardanoSandbox({ chain: { id } }: Coin): SandboxFamily {
  return {
    isDefault: false,
    start: (home, world) => start(id, home, world),
    createPayer: async (reached, world) => {
      const { createCardanoPayer } = await import("../../sandbox/cardano-payer.ts");
      return createCardanoPayer(id, siteOf(reached), world);
    },
    chainConfig: (reached) => {
      const { kupo_url, network_magic } = siteOf(reached);
      return { chain_id: network_magic, index: [{ url: kupo_url, headers: {}, header_files: {} }] };
    },
    tokens: () => ({}),
    minesByItself: true,
    floats: () => ({ change: [{ alpha: id, amount: floatPiece, times: floatPieces }] }),
  };
}

function siteOf(reached: SandboxChain): CardanoSite {
  assert(reached.family === "cardano", "a Cardano network of the sandbox");
  return reached;
}

async function start(chain: string, home: string, world: World): Promise<StartedChain> {
  const { startCardano } = await import("../../sandbox/cardano/start-cardano.ts");
  const folder = join(home, "chains", "cardano");
  const ledger = await supervise<Cardano>(
    `the ${chain} ledger`,
    (previous) => startCardano({ folder, port: previous?.port ?? 0, minesOnTime: true, ...world }),
    world,
  );
  const { faucetPrivateKey, kupoUrl, networkMagic, ogmiosUrl, sandboxUrl } = ledger.first;
  return {
    chain,
    reached: {
      family: "cardano",
      simulated: true,
      rpc_url: ogmiosUrl,
      ogmios_url: ogmiosUrl,
      kupo_url: kupoUrl,
      sandbox_url: sandboxUrl,
      faucet_private_key: faucetPrivateKey,
      network_magic: networkMagic,
    },
    failed: ledger.failed,
    stop: ledger.stop,
  };
}
