import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import type { ChainWriter } from "../../chains/paying-port.ts";
import type { PayeeAddressing } from "../../chains/port.ts";
import type { Keyspace } from "../../currencies/keyspace.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { SignedChain } from "../../signer/create-draft-signers.ts";
import type { KeyTree } from "../../signer/keys/account-paths.ts";
import type { AccountKey } from "../../signer/protocol.ts";
import type { ChainConfig } from "../config/config.ts";

/** What connecting to a chain needs. */
export type ChainContext = World & {
  readonly config: ChainConfig;
  /** The deployment's currencies, of all chains. */
  readonly currencies: CurrencyRegistry;
};

/** The configured nodes of a chain and what is built on them. Each node proves its network before its answers count. */
export type ConnectedChain = {
  /** From the signer's account public keys. */
  readonly createAdapter: (keys: readonly AccountKey[]) => ChainAdapter;
  /** A writer that quotes fees, without any key. */
  readonly createQuoter: () => ChainWriter;
  readonly close: () => Promise<void>;
};

/** What is wrong with a chain's configuration, at one of its members or (null) at the chain itself. */
export type ChainConfigFault = {
  readonly member: keyof ChainConfig | null;
  readonly message: string;
};

/**
 * One chain, as its family treats it: everything in which the program's wiring differs between families. Created by `familyOf`,
 * the only place that selects a family. See docs/decisions/chain-families.md.
 */
export type Family = {
  /** Whether its spends use coins (UTXOs) or the sequence of an account. */
  readonly funding: "coins" | "account";
  /** For how long its drafts are valid at most, in seconds; null where the claims of transactions rule others out. */
  readonly draftSecondsMax: number | null;
  /** Whether a node must scan all unspent outputs to read the balance of an address. */
  readonly scansForBalances: boolean;
  readonly keyspace: Keyspace;
  /** Faults that the schema cannot find. */
  readonly configFaults: (config: ChainConfig) => readonly ChainConfigFault[];
  /** Parses the addresses of receivers, without any key. */
  readonly createPayeeAddressing: (
    config: ChainConfig,
    currencies: CurrencyRegistry,
  ) => PayeeAddressing;
  readonly connect: (context: ChainContext) => ConnectedChain;
  /** What the signer has to know about the chain, with the assets that it may pay there. */
  readonly signedChain: (config: ChainConfig, assets: SignedChain["assets"]) => SignedChain;
  /** The accounts of its addresses and of our own funds; chains of one keyspace name the same. */
  readonly keyTree: KeyTree;
  /** EIP-155 id of the configured network, for the URIs and buttons of browser wallets; null outside EVM. */
  readonly eip155Id: (config: ChainConfig) => number | null;
};

/** The extended public key of an account of the signer, which must have it. */
export function xpubOf(keys: readonly AccountKey[], keyspace: string, addressType: string): string {
  const key = keys.find(
    (candidate) => candidate.keyspace === keyspace && candidate.addressType === addressType,
  );
  return present(key, `the signer has no account key for ${keyspace} ${addressType}`).xpub;
}
