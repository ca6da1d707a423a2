import type { ChainId } from "../../currencies/currency.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/** The forms of address, by the words that go over the wire. */
export type AddressTypeName = "legacy" | "p2sh-segwit" | "bech32" | "bech32m";

export type UtxoNetworkName = "main" | "test" | "regtest";

/** What a header is hashed with to show its work: SHA-256 twice, or scrypt. */
export type WorkHash = "sha256d" | "scrypt";

/** One network of a chain: what distinguishes its addresses and nodes from every other network's. */
export type UtxoNetwork = {
  /** As nodes name it in `getblockchaininfo`. */
  readonly name: UtxoNetworkName;
  readonly genesisHash: string;
  /** `powLimit` of the node's chain parameters, 256 bits as hex: no header's target may be above. */
  readonly easiestTarget: string;
  /** Blocks that share one target; null where the rules of test networks allow any. */
  readonly retargetBlocks: number | null;
  /** Hex of what stands before the hash in a base58check address. */
  readonly publicKeyHashPrefix: string;
  /** The first one is written, all are read. */
  readonly scriptHashPrefixes: readonly string[];
  /** Human-readable part of segwit addresses, SLIP-173. */
  readonly segwitPrefix: string;
  /** First letters that base58check addresses of either kind have, for the masks. */
  readonly publicKeyHashLetters: string;
  readonly scriptHashLetters: string;
};

/** One coin of the Bitcoin family, as data: the code of this folder is the same for all. */
export type UtxoChain = {
  readonly chain: ChainId;
  readonly currency: CurrencyId;
  /** SLIP-44; every test network uses 1. */
  readonly coinType: number;
  readonly workHash: WorkHash;
  readonly defaultAddressType: AddressTypeName;
  /** Outputs of fewer units are not relayed, by the type of the address paid. */
  readonly dustUnits: Readonly<Record<AddressTypeName, bigint>>;
  /** A coinbase output of block h is spendable in block h + this. */
  readonly coinbaseMaturity: number;
  /** The same for value that leaves a MimbleWimble extension block; null where the chain has none. */
  readonly pegoutMaturity: number | null;
  /** What no node of this chain shows, for operators. */
  readonly limitations: readonly string[];
  readonly networks: Readonly<Record<UtxoNetworkName, UtxoNetwork>>;
};
