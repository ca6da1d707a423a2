import { join } from "node:path";
import type { Teardown } from "../../../src/main/processes/teardown.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { network } from "../../../src/sandbox/algorand/genesis.ts";
import { startAlgorand } from "../../../src/sandbox/algorand/start-algorand.ts";
import { startCardano } from "../../../src/sandbox/cardano/start-cardano.ts";
import type {
  AlgorandSite,
  CardanoSite,
  SandboxChain,
  TronSite,
} from "../../../src/sandbox/sandbox-file.ts";
import { startTron } from "../../../src/sandbox/tron/start-tron.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };

/** The simulated ledgers of a deployment: a subset of these. */
export type Ledgers = Readonly<Partial<Record<"TRX" | "ADA" | "ALGO", true>>>;

/** What the configuration of a chain says besides its network and its first block. */
export type NodeConfig = Readonly<Record<string, unknown>>;

/** Starts the ledgers in `folder`, and ends them with `teardown`. */
export async function startLedgers(
  wanted: Ledgers,
  folder: string,
  teardown: Teardown,
): Promise<Readonly<Record<string, SandboxChain>>> {
  const [TRX, ADA, ALGO] = await Promise.all([
    wanted.TRX === true ? startTronLedger(join(folder, "TRX"), teardown) : null,
    wanted.ADA === true ? startCardanoLedger(join(folder, "ADA"), teardown) : null,
    wanted.ALGO === true ? startAlgorandLedger(join(folder, "ALGO"), teardown) : null,
  ]);
  return {
    ...(TRX === null ? {} : { TRX }),
    ...(ADA === null ? {} : { ADA }),
    ...(ALGO === null ? {} : { ALGO }),
  };
}

/** How a deployment reaches a ledger at these addresses, which may be those of gates in front of it. */
export function ledgerConfig(site: SandboxChain, urls: readonly string[]): NodeConfig {
  if (site.family === "algorand") {
    const headers = { "x-algo-api-token": site.rpc_token };
    const nodes = urls.map((url) => ({ url, headers }));
    return { nodes, genesis_hash: site.genesis_hash, start_height: 1 };
  }
  if (site.family === "cardano")
    return {
      nodes: urls,
      index: urls.map((url) => `${url}/kupo`),
      chain_id: site.network_magic,
      start_height: 0,
    };
  return { nodes: urls, start_height: 0 };
}

/** Makes blocks on demand. */
async function startTronLedger(folder: string, teardown: Teardown): Promise<TronSite> {
  const { url, sandboxUrl, faucetPrivateKey, tokens } = await teardown.track(
    "TRX",
    startTron({ folder, port: 0, minesOnTime: false, ...world }),
    (ledger) => ledger.stop(),
  );
  return {
    family: "tron",
    simulated: true,
    rpc_url: url,
    sandbox_url: sandboxUrl,
    faucet_private_key: faucetPrivateKey,
    tokens,
  };
}

/** Makes blocks on demand. */
async function startCardanoLedger(folder: string, teardown: Teardown): Promise<CardanoSite> {
  const { faucetPrivateKey, kupoUrl, networkMagic, ogmiosUrl, sandboxUrl } = await teardown.track(
    "ADA",
    startCardano({ folder, port: 0, minesOnTime: false, ...world }),
    (ledger) => ledger.stop(),
  );
  return {
    family: "cardano",
    simulated: true,
    rpc_url: ogmiosUrl,
    ogmios_url: ogmiosUrl,
    kupo_url: kupoUrl,
    sandbox_url: sandboxUrl,
    faucet_private_key: faucetPrivateKey,
    network_magic: networkMagic,
  };
}

/** Makes a block every three seconds as well: accounts are activated, and tokens accepted, in the course of several blocks. */
async function startAlgorandLedger(folder: string, teardown: Teardown): Promise<AlgorandSite> {
  const { assets, faucetMnemonic, sandboxUrl, token, url } = await teardown.track(
    "ALGO",
    startAlgorand({ folder, port: 0, minesOnTime: true, ...world }),
    (ledger) => ledger.stop(),
  );
  return {
    family: "algorand",
    simulated: true,
    rpc_url: url,
    rpc_token: token,
    sandbox_url: sandboxUrl,
    faucet_mnemonic: faucetMnemonic,
    genesis_hash: Buffer.from(network.genesisHash).toString("base64"),
    tokens: Object.fromEntries(Object.entries(assets).map(([alpha, id]) => [alpha, String(id)])),
  };
}
