import { mkdtemp } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { openFaucet } from "../../src/main/families/sandbox-families.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { startAnvil } from "../../src/sandbox/anvil.ts";
import type { Faucet } from "../../src/sandbox/faucet.ts";
import { findDaemon } from "../../src/sandbox/find-daemon.ts";
import type { SandboxChain } from "../../src/sandbox/sandbox-file.ts";
import { startUtxoNode } from "../../src/sandbox/utxo-node.ts";
import { bitcoin, daemonOf } from "../support/known-chains.ts";
import type { BenchSite } from "./bench-site.ts";
import {
  arrangeTenant,
  type Deployment,
  deploy,
  startPart,
  startSigner,
  type Tenant,
} from "./deployment.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };

/** A private chain with a funded account. */
export type PaidChain = {
  readonly id: "ETH" | "BTC";
  readonly reached: SandboxChain;
  readonly faucet: Faucet;
};

/** Starts Anvil, or bitcoind if installed (else null). Blocks are mined only on request. */
export async function startPaidChain(
  site: BenchSite,
  id: PaidChain["id"],
): Promise<PaidChain | null> {
  const reached = id === "ETH" ? await startEthereum(site) : await startBitcoin(site);
  if (reached === null) return null;
  const faucet = openFaucet(id, reached, world);
  site.teardown.add(`faucet of ${id}`, () => faucet.close());
  return { id, reached, faucet };
}

async function startEthereum(site: BenchSite): Promise<SandboxChain> {
  const chainId = 1337;
  const anvil = await startAnvil({
    folder: await ownFolder(site, "anvil"),
    port: 0,
    chainId,
    blockSeconds: null,
    ...world,
  });
  site.teardown.add("anvil", () => anvil.stop());
  return { family: "evm", rpc_url: anvil.url, chain_id: chainId, tokens: {} };
}

async function startBitcoin(site: BenchSite): Promise<SandboxChain | null> {
  const found = findDaemon("bitcoind", {
    path: process.env["PATH"] ?? "",
    home: homedir(),
    cacheHome: process.env["XDG_CACHE_HOME"] ?? "",
  });
  if (found.kind === "missing") {
    console.error(`\nBITCOIN IS NOT MEASURED: ${found.reason}\n`);
    return null;
  }
  const node = await startUtxoNode({
    chain: "BTC",
    sandbox: daemonOf(bitcoin),
    program: found.path,
    folder: await ownFolder(site, "bitcoin"),
    ...world,
  });
  site.teardown.add("paid bitcoind", () => node.stop());
  return { family: "utxo", rpc_url: node.rpcUrl, faucet_wallet: node.faucetWallet };
}

/** The next section starts with a new chain. */
function ownFolder(site: BenchSite, name: string): Promise<string> {
  return mkdtemp(join(site.folder, `paid-${name}-`));
}

export type PayingSite = { readonly deployment: Deployment; readonly tenant: Tenant };

/** A deployment that pays on these chains, with signer, api and, by default, worker running. */
export async function openPayingSite(
  site: BenchSite,
  name: string,
  chains: readonly PaidChain[],
  payouts: object = {},
): Promise<PayingSite & { readonly stopWorker: () => Promise<void>; readonly apiPid: number }> {
  const deployment = await deploy(site, name, {
    payouts: { token_fees: "operator", ...payouts },
    chains: Object.fromEntries(
      chains.map(({ id, reached }) => [
        id,
        {
          network: "regtest",
          nodes: [reached.rpc_url],
          start_height: 0,
          ...(reached.family === "evm" ? { chain_id: reached.chain_id } : {}),
        },
      ]),
    ),
  });
  const tenant = await arrangeTenant(deployment);
  await startSigner(deployment);
  const worker = await startPart(deployment, "worker");
  const api = await startPart(deployment, "api");
  for (const chain of chains) await fund(deployment, chain);
  return { deployment, tenant, stopWorker: worker.stop, apiPid: api.pid };
}

const floats = { ETH: { amount: "5000", times: 1 }, BTC: { amount: "1", times: 120 } };

/** Funds the paying account, confirms the funds, and waits until the service has booked them. */
async function fund({ site, databaseUrl, foundation }: Deployment, chain: PaidChain) {
  const { id, faucet } = chain;
  const purpose = id === "ETH" ? "hot" : "change";
  const address = await untilFound(async () => {
    const rows = (await site.sql(
      databaseUrl,
      `select address from treasury_address where keyspace = $1 and purpose = $2 order by key_index limit 1`,
      [id === "ETH" ? "evm" : id, purpose],
    )) as { address: string }[];
    return rows[0]?.address ?? null;
  });
  const { amount, times } = floats[id];
  for (let paid = 0; paid < times; paid += 1) await faucet.pay(id, address, amount);
  await faucet.mine(1 + Math.max(...foundation.currencies.onChain(id).map(depthOf)));
  const { height } = await faucet.tip();
  await untilFound(async () => {
    const rows = await site.sql(
      databaseUrl,
      "select 1 from chain_cursor where chain = $1 and height >= $2",
      [id, height],
    );
    return rows[0] ?? null;
  });
}

const depthOf = ({ confirmationBlocks }: { readonly confirmationBlocks: number }): number =>
  confirmationBlocks;

const patienceMs = 120_000;

/** Polls until there is an answer; throws after a timeout. */
export async function untilFound<Found>(
  ask: () => Promise<Found | null>,
  withinMs = patienceMs,
): Promise<Found> {
  const start = performance.now();
  for (;;) {
    const found = await ask();
    if (found !== null) return found;
    if (performance.now() - start > withinMs) throw new Error("the awaited state was not reached");
    await systemClock.sleep(50);
  }
}
