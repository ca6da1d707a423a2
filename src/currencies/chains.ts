import type { ChainId, Currency } from "./currency.ts";
import { erc20, type TokenFormat } from "./token-format.ts";

/** Chains of one family share code and differ only in data. */
export type ChainFamily =
  | "utxo"
  | "evm"
  | "tron"
  | "xrpl"
  | "stellar"
  | "ton"
  | "cardano"
  | "algorand"
  | "monero"
  | "omni";

export type ChainRecord = {
  readonly id: ChainId;
  readonly family: ChainFamily;
  /** The network's name; `blockchain_name` on the wire. */
  readonly name: string;
  /** False while the program has no adapter for the chain; its currencies are then unavailable in every deployment. */
  readonly isBuilt: boolean;
  /** EIP-155 chain ids of the public networks; null outside the EVM family. */
  readonly evmChainIds: { readonly mainnet: number; readonly testnet: number } | null;
  /** Deepest reorg that a follower rolls back on its own, in blocks; null where inclusion is final. */
  readonly reorgLimit: number | null;
  /**
   * Whether a payout of the chain's coin may take the network fee out of its amount (`is_fee_included`). The interface rules this
   * out for ADA, ARB, AVAX, BNB, ETH, ETH-BASE, MATIC, OPT, TRX, XLM, XMR and XRP.
   */
  readonly canIncludeFee: boolean;
  /** How its tokens are identified; null where none can be added. */
  readonly tokens: TokenFormat | null;
};

const familiesThatIncludeFees: ReadonlySet<ChainFamily> = new Set(["utxo", "ton", "algorand"]);

/** Deeper than every reorg on record, and shallow enough that the follower stops when a node rewrites its chain. */
const utxoReorgLimit = 100;

const evm = (
  id: ChainId,
  name: string,
  mainnet: number,
  testnet: number,
  reorgLimit: number,
): ChainRecord => ({
  id,
  family: "evm",
  name,
  isBuilt: true,
  evmChainIds: { mainnet, testnet },
  reorgLimit,
  canIncludeFee: familiesThatIncludeFees.has("evm"),
  tokens: erc20,
});

const nonEvmChain = (
  id: ChainId,
  family: Exclude<ChainFamily, "evm">,
  name: string,
  reorgLimit: number | null,
): ChainRecord => ({
  id,
  family,
  name,
  isBuilt: id === "BTC" || id === "LTC",
  evmChainIds: null,
  reorgLimit,
  canIncludeFee: familiesThatIncludeFees.has(family),
  tokens: null,
});

/** Every chain that a currency record uses. A chain's id is the alpha code of its coin. */
const chainRecords: readonly ChainRecord[] = [
  nonEvmChain("BTC", "utxo", "Bitcoin", utxoReorgLimit),
  nonEvmChain("LTC", "utxo", "Litecoin", utxoReorgLimit),
  nonEvmChain("BCH", "utxo", "Bitcoin Cash", utxoReorgLimit),
  nonEvmChain("DASH", "utxo", "Dash", utxoReorgLimit),
  nonEvmChain("DOGE", "utxo", "Dogecoin", utxoReorgLimit),
  nonEvmChain("ZEC", "utxo", "Zcash", utxoReorgLimit),
  evm("ETH", "Ethereum", 1, 11155111, 128),
  evm("BNB-BSC", "BNB Smart Chain", 56, 97, 128),
  evm("MATIC", "Polygon PoS", 137, 80002, 512),
  evm("AVAX", "Avalanche C-Chain", 43114, 43113, 64),
  evm("ARB", "Arbitrum One", 42161, 421614, 1024),
  evm("OPT", "OP Mainnet", 10, 11155420, 1024),
  evm("ETH-BASE", "Base", 8453, 84532, 1024),
  nonEvmChain("TRX", "tron", "TRON", 100),
  nonEvmChain("XRP", "xrpl", "XRP Ledger", null),
  nonEvmChain("XLM", "stellar", "Stellar", null),
  nonEvmChain("TON", "ton", "The Open Network", null),
  nonEvmChain("ADA", "cardano", "Cardano", 2160),
  nonEvmChain("ALGO", "algorand", "Algorand", null),
  nonEvmChain("XMR", "monero", "Monero", 100),
  nonEvmChain("OMNI", "omni", "Omni Layer", utxoReorgLimit),
];

const byId = new Map(chainRecords.map((chain) => [chain.id, chain]));

/** The chain's record; null for an unknown id. */
export function findChain(id: ChainId): ChainRecord | null {
  return byId.get(id) ?? null;
}

/**
 * Whether a payout of the currency may take the network fee out of its amount: never for tokens; for coins, as their
 * chain says.
 */
export function mayIncludeFee({ kind, chain }: Pick<Currency, "kind" | "chain">): boolean {
  return kind === "coin" && chain !== null && findChain(chain)?.canIncludeFee === true;
}
