import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import type { ChainWriter } from "../../chains/paying-port.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { AccountKey } from "../../signer/protocol.ts";
import type { SignerClient } from "../../signer/signer-client.ts";
import type { ChainConfig } from "../config/config.ts";

/** What connecting to a chain needs. */
export type ChainContext = World & {
  readonly config: ChainConfig;
  /** The deployment's currencies, of all chains. */
  readonly currencies: CurrencyRegistry;
};

/** See `SignerClient`. */
export type ClaimCoins = SignerClient["claimCoins"];

/** For adapters that pay nothing. */
export const claimNothing: ClaimCoins = () => Promise.resolve(null);

/** The configured nodes of a chain and what is built on them. Each node proves its network before its answers count. */
export type ConnectedChain = {
  /** From the signer's account public keys. Where only the signer knows what spending coins claims, it is asked while paying. */
  readonly createAdapter: (keys: readonly AccountKey[], claimCoins: ClaimCoins) => ChainAdapter;
  /** A writer that quotes fees, without any key. */
  readonly createQuoter: () => ChainWriter;
  /** What the servers of older blocks have, for operators. Throws if they cannot be used. Absent without such servers. */
  readonly checkHistory?: (signal: AbortSignal) => Promise<string>;
  /** How many accounts lend their numbers to this one, and how many more it has the reserve for. Absent where there are none to be. */
  readonly countLenders?: (
    address: string,
    signal: AbortSignal,
  ) => Promise<{ readonly made: number; readonly affordable: number }>;
  /**
   * Amounts that the account could take and that are nobody's until it does, in words. Absent where there are none, or no server finds
   * them.
   */
  readonly readClaimable?: (address: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** The state of the wallet program that drafts, for operators. Throws if it cannot be used. Absent where there is none. */
  readonly checkWallet?: (signal: AbortSignal) => Promise<string>;
  readonly close: () => Promise<void>;
};

/** The extended public key of an account of the signer, which must have it. */
export function xpubOf(keys: readonly AccountKey[], keyspace: string, addressType: string): string {
  const key = keyOf(keys, keyspace, addressType);
  assert("xpub" in key, `the account key for ${keyspace} ${addressType} is an extended one`);
  return key.xpub;
}

/** The Ed25519 public key of an account of the signer, which must have it: 32 bytes. */
export function ed25519KeyOf(
  keys: readonly AccountKey[],
  keyspace: string,
  addressType: string,
): Uint8Array {
  const key = keyOf(keys, keyspace, addressType);
  assert("publicKey" in key, `the account key for ${keyspace} ${addressType} is an Ed25519 key`);
  return Uint8Array.from(Buffer.from(key.publicKey, "hex"));
}

/** The secret view key and the public spend key of an account of the signer, which must have them: 32 bytes each. */
export function viewAndSpendKeysOf(
  keys: readonly AccountKey[],
  keyspace: string,
  addressType: string,
): { readonly viewKey: Uint8Array; readonly spendKey: Uint8Array } {
  const key = keyOf(keys, keyspace, addressType);
  assert("viewKey" in key, `the account key for ${keyspace} ${addressType} is a view key`);
  const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
  return { viewKey: bytesOf(key.viewKey), spendKey: bytesOf(key.spendKey) };
}

function keyOf(keys: readonly AccountKey[], keyspace: string, addressType: string): AccountKey {
  const key = keys.find(
    (candidate) => candidate.keyspace === keyspace && candidate.addressType === addressType,
  );
  return present(key, `the signer has no account key for ${keyspace} ${addressType}`);
}
