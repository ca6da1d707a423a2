import { deploymentCurrencies } from "../../currencies/deployment-currencies.ts";
import { createRegistry } from "../../currencies/registry.ts";
import { present } from "../../platform/kernel/assert.ts";
import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import type { World } from "../../platform/kernel/world.ts";
import { deriveKeys } from "../../signer/keys/derive-keys.ts";
import { type AdapterContext, buildAdapters } from "../build/build-adapters.ts";
import { signerKeys } from "../build/signer-settings.ts";
import type { Config, NodeConfig } from "../config/config.ts";
import { currencySettings } from "../config/currency-settings.ts";
import { claimNothing } from "../families/connection.ts";
import { connectChain } from "../families/connections.ts";
import { examine, type Finding, type Found } from "./finding.ts";
import { permissionNotes } from "./permission-notes.ts";

/**
 * Checks every node of every chain separately: its network, its height, and what it cannot show. Servers of older blocks and wallet programs
 * likewise.
 */
export function checkChains(config: Config, world: World): readonly Promise<Finding>[] {
  const ground: AdapterContext = {
    config,
    currencies: createRegistry(deploymentCurrencies(currencySettings(config)).currencies),
    clock: world.clock,
    random: world.random,
    // A node's error is the finding.
    logger: silentLogger,
  };
  return Object.entries(config.chains).flatMap(([chain, { nodes, history = [], wallet }]) => [
    ...nodes.map((node) =>
      examine(`${chain} node ${new URL(node.url).host}`, world.clock, (signal) =>
        checkNode(ground, chain, node, signal),
      ),
    ),
    ...history.map((server) =>
      examine(`${chain} history ${new URL(server.url).host}`, world.clock, (signal) =>
        checkHistory(ground, chain, server, signal),
      ),
    ),
    ...(wallet === undefined
      ? []
      : [
          examine(`${chain} wallet ${new URL(wallet.url).host}`, world.clock, (signal) =>
            checkWallet(ground, chain, wallet, signal),
          ),
        ]),
  ]);
}

async function checkHistory(
  ground: AdapterContext,
  chain: string,
  server: NodeConfig,
  signal: AbortSignal,
): Promise<Found> {
  const config = { ...present(ground.config.chains[chain], `chain ${chain}`), history: [server] };
  const connected = await connectChain(chain, { ...ground, config });
  try {
    const detail = await present(connected.checkHistory, `history of ${chain}`)(signal);
    return {
      detail,
      notes: (await Promise.all(Object.values(server.header_files).map(permissionNotes))).flat(),
    };
  } finally {
    await connected.close();
  }
}

async function checkWallet(
  ground: AdapterContext,
  chain: string,
  wallet: NodeConfig,
  signal: AbortSignal,
): Promise<Found> {
  const config = present(ground.config.chains[chain], `chain ${chain}`);
  const connected = await connectChain(chain, { ...ground, config });
  try {
    return {
      detail: await present(connected.checkWallet, `a wallet of ${chain}`)(signal),
      notes: (await Promise.all(Object.values(wallet.header_files).map(permissionNotes))).flat(),
    };
  } finally {
    await connected.close();
  }
}

async function checkNode(
  ground: AdapterContext,
  chain: string,
  node: NodeConfig,
  signal: AbortSignal,
): Promise<Found> {
  const { config, clock } = ground;
  const chainConfig = present(config.chains[chain], `chain ${chain}`);
  const alone = { ...config, chains: { [chain]: { ...chainConfig, nodes: [node] } } };
  const [followed] = await buildAdapters(
    { ...ground, config: alone },
    anyKeys(config),
    claimNothing,
  );
  const { adapter, close } = present(followed, `adapter of ${chain}`);
  try {
    await adapter.reader.verifyNetwork(signal);
    const tip = await adapter.reader.tip(signal);
    const blind = await adapter.reader.limitations(signal);
    return {
      detail: `${chainConfig.network}, block ${tip.height}, ${age(tip.time, clock.now())} old`,
      notes: [
        ...blind.map((spot) => `cannot show ${spot}`),
        ...trustIn(chain, node, chainConfig.nodes),
        ...(await Promise.all(Object.values(node.header_files).map(permissionNotes))).flat(),
      ],
    };
  } finally {
    await close();
  }
}

/** Warns when a chain depends on a single node or host. */
function trustIn(chain: string, node: NodeConfig, nodes: readonly NodeConfig[]): readonly string[] {
  if (nodes.length === 1)
    return [
      `${chain} has one node, which is trusted: if it lies, deposits that nobody made are paid out and completed payouts are refunded. Add a second node of another operator`,
    ];
  const { host } = new URL(node.url);
  const isShared = nodes.filter(({ url }) => new URL(url).host === host).length > 1;
  return isShared
    ? [`another node of ${chain} has the same host: one may confirm the other's false answers`]
    : [];
}

/** Creating an adapter requires account keys, but these checks do not use them. */
function anyKeys(config: Config) {
  const { network, keyTrees } = signerKeys(config);
  return deriveKeys(new Uint8Array(32), network, keyTrees).accounts;
}

function age(from: Instant, now: Instant): string {
  const seconds = Math.max(0, Math.round(secondsBetween(from, now)));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
