import type { PayeeAddressing } from "../../chains/port.ts";
import type { Currency } from "../../currencies/currency.ts";
import type { Keyspace } from "../../currencies/keyspace.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { SignedChain } from "../../signer/create-draft-signers.ts";
import type { KeyTree } from "../../signer/keys/account-paths.ts";
import type { ChainConfig } from "../config/config.ts";

/** What is wrong with a chain's configuration, at one of its members or (null) at the chain itself. */
export type ChainConfigFault = {
  readonly member: keyof ChainConfig | null;
  readonly message: string;
};

/** Rejected where the chain's family does not use them. */
export const rareMembers = [
  "network_passphrase",
  "history",
  "index",
  "global_id",
  "jetton_wallets",
  "wallet",
  "channels",
  "node_fee_max",
] as const;

export type RareMember = (typeof rareMembers)[number];

/**
 * One chain, as its family treats it: what every process has to know. Created by `familyOf`. Its connection to nodes and its part
 * of the sandbox are records of their own (`connections.ts`, `sandbox-families.ts`), which only some processes load. See
 * docs/decisions/chain-families.md.
 */
export type Family = {
  /** Whether its spends use coins (UTXOs) or the sequence of an account. */
  readonly funding: "coins" | "account";
  /** For how long its drafts are valid at most, in seconds; null if the claims of transactions rule others out. */
  readonly draftSecondsMax: number | null;
  /** See `ConsolidationSettings.feePerCoin`; absent: its default. */
  readonly lowFeePerCoin?: bigint;
  /** How many coins are left alone at most, because one transaction cannot spend many more. Absent: as many as are configured. */
  readonly coinsMax?: number;
  /** What reading the balances of addresses takes: queries, a scan of all unspent outputs, or more than a node offers. */
  readonly balances: "queries" | "scan" | "none";
  readonly keyspace: Keyspace;
  /** Members of a chain's configuration that only some families use, of those in `rareMembers`. Absent: none. */
  readonly rareMembers?: readonly RareMember[];
  /** Faults that the schema cannot find, with the deployment's currencies of the chain. */
  readonly configFaults: (
    config: ChainConfig,
    currencies: readonly Currency[],
  ) => readonly ChainConfigFault[];
  /** Parses the addresses of receivers, without any key. */
  readonly createPayeeAddressing: (
    config: ChainConfig,
    currencies: CurrencyRegistry,
  ) => PayeeAddressing;
  /** What the signer has to know about the chain, with the assets that it may pay there. */
  readonly signedChain: (config: ChainConfig, assets: SignedChain["assets"]) => SignedChain;
  /** The accounts of its addresses and of our own funds; chains of one keyspace name the same. */
  readonly keyTree: KeyTree;
  /** EIP-155 id of the configured network, for the URIs and buttons of browser wallets; null outside EVM. */
  readonly eip155Id: (config: ChainConfig) => number | null;
};
