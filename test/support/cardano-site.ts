import { createCardanoAdapter } from "../../src/chains/cardano/adapter.ts";
import { type CardanoNode, createCardanoNode } from "../../src/chains/cardano/cardano-node.ts";
import { verifyCardanoNode } from "../../src/chains/cardano/network.ts";
import { findCoin } from "../../src/currencies/coins.ts";
import { assert, present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { networkMagic } from "../../src/sandbox/cardano/genesis.ts";
import type { ExtendedEd25519Keys } from "../../src/signer/draft-signer.ts";
import type { KeyTree } from "../../src/signer/keys/account-paths.ts";
import { deriveExtendedEd25519, icarusRoot } from "../../src/signer/keys/bip32-ed25519.ts";
import { deriveKeys } from "../../src/signer/keys/derive-keys.ts";

const tree: KeyTree = {
  keyspace: "ADA",
  coinType: 1815,
  isSharedByNetworks: false,
  addressTypes: [""],
  curve: "bip32-ed25519",
};

const coin = present(findCoin("ADA"), "ADA");
export const ada = coin.coin.id;

/** The keys of an entropy that is only for tests, and the account's extended public key. */
export function testKeys(byte: number): {
  readonly keys: ExtendedEd25519Keys;
  readonly accountKey: string;
} {
  const entropy = new Uint8Array(32).fill(byte);
  const root = icarusRoot(entropy);
  const [account] = deriveKeys(entropy, "test", [tree]).accounts;
  assert(account !== undefined && "xpub" in account, "the account has an extended public key");
  return {
    keys: { extendedEd25519At: (path) => deriveExtendedEd25519(root, path) },
    accountKey: account.xpub,
  };
}

/** The adapter on nodes of the simulated network, or configured for a network with another magic. */
export function openCardanoAdapter({
  accountKey,
  magic = networkMagic,
  urls,
}: {
  readonly accountKey: string;
  readonly urls: readonly string[];
  readonly magic?: number;
}) {
  const network = { kind: "test", magic } as const;
  const node: CardanoNode = createCardanoNode({
    chain: "ADA",
    servers: urls.map((url) => ({ ogmios: { url }, kupo: { url: `${url}/kupo` } })),
    timeoutMs: 60_000,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    ...(magic === networkMagic ? { verify: verifyCardanoNode(network) } : {}),
  });
  const adapter = createCardanoAdapter({
    network,
    node,
    currency: ada,
    accountKey,
    reorgLimit: present(coin.chain.reorgLimit, "a reorg limit"),
    clock: systemClock,
  });
  return { adapter, node };
}
