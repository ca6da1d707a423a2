import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { HDKey } from "@scure/bip32";
import { describe, test } from "vitest";
import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import type { DerivedAddressing } from "../../src/chains/port.ts";
import { createJsonRpc, type JsonRpc } from "../../src/chains/rpc/json-rpc.ts";
import { accountPath } from "../../src/chains/utxo/account-key.ts";
import { createUtxoAdapter } from "../../src/chains/utxo/adapter.ts";
import type { UtxoChain } from "../../src/chains/utxo/utxo-chain.ts";
import { verifyUtxoNode } from "../../src/chains/utxo/verify-network.ts";
import type { AddressTypeName, UtxoNetworkName } from "../../src/currencies/utxo-facts.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { type DaemonName, findDaemon } from "../../src/sandbox/find-daemon.ts";
import { startUtxoNode, type UtxoNode, type UtxoNodeOptions } from "../../src/sandbox/utxo-node.ts";
import { quietPort } from "../scenarios/support/quiet-port.ts";
import { bitcoin, daemonOf, litecoin } from "./known-chains.ts";

export type Coin = { readonly chain: UtxoChain; readonly daemon: DaemonName };

export const coins: readonly Coin[] = [
  { chain: bitcoin, daemon: "bitcoind" },
  { chain: litecoin, daemon: "litecoind" },
];

export const addressTypeNames: readonly AddressTypeName[] = [
  "legacy",
  "p2sh-segwit",
  "bech32",
  "bech32m",
];

/**
 * Registers tests that need the coin's real daemon. If it is neither installed nor downloaded they count as skipped, under a
 * name with the reason and the remedy.
 */
export function describeWithDaemon(
  coin: Coin,
  name: string,
  body: (programPath: string) => void,
): void {
  const found = findDaemon(coin.daemon, {
    path: process.env["PATH"] ?? "",
    home: homedir(),
    cacheHome: process.env["XDG_CACHE_HOME"] ?? "",
  });
  if (found.kind === "found") {
    describe(name, () => {
      body(found.path);
    });
    return;
  }
  console.warn(`NOT RUN: ${name}: ${found.reason}`);
  test.skip(`${name}: NOT RUN, ${found.reason}`, () => undefined);
}

export type TestNode = {
  /** The running daemon; a new one after every pause. */
  readonly node: UtxoNode;
  /** Stops the node until the returned function is called. */
  readonly pause: () => Promise<() => Promise<void>>;
  readonly stop: () => Promise<void>;
};

/** A node in a temporary folder, which is removed with it. */
export async function startTestNode(
  coin: Coin,
  program: string,
  more: Partial<UtxoNodeOptions> = {},
): Promise<TestNode> {
  const folder = await mkdtemp(join(tmpdir(), `sluice-${coin.daemon}-`));
  // While it is paused no test gets it.
  const port = await quietPort();
  const start = (): Promise<UtxoNode> =>
    startUtxoNode({
      chain: coin.chain.chain,
      sandbox: daemonOf(coin.chain),
      program,
      folder,
      port,
      clock: systemClock,
      logger: silentLogger,
      random: systemRandom,
      ...more,
    });
  let node = await start();
  return {
    get node() {
      return node;
    },
    pause: async () => {
      await node.stop();
      return async () => {
        node = await start();
      };
    },
    stop: async () => {
      await node.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Where the keys of the test adapters come from. */
export const testSeed = new Uint8Array(32).fill(42);

export type TestAdapter = {
  readonly adapter: ChainAdapter<DerivedAddressing>;
  readonly rpc: JsonRpc;
};

/** An adapter with keys from a fixed seed for these nodes; a short timeout of its own tests outages. */
export function openAdapter(
  { chain }: Coin,
  urls: readonly string[],
  network: UtxoNetworkName = "regtest",
): TestAdapter {
  const rpc = createJsonRpc({
    nodes: urls.map((url) => ({ url })),
    chain: chain.chain,
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
    timeoutMs: 60_000,
    verify: verifyUtxoNode(chain.networks[network]),
  });
  const root = HDKey.fromMasterSeed(testSeed);
  const accountKeys = Object.fromEntries(
    chain.addressTypes.map((name) => [
      name,
      root.derive(accountPath(chain, network, name)).publicExtendedKey,
    ]),
  );
  return {
    rpc,
    adapter: createUtxoAdapter({ chain, network, rpc, accountKeys, clock: systemClock }),
  };
}
