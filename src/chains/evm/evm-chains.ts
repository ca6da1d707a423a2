import type { ChainId } from "../../currencies/currency.ts";

/**
 * What sets one EVM chain apart from another in how it is read and paid on; chain ids and reorg limits stand in
 * `currencies/chains.ts`. Everything else is the same code. The `finalized` tag is served, and means the chain's own
 * finality, on all of them.
 */
export type EvmChain = {
  readonly chain: ChainId;
  /**
   * Whether a node's `pending` block holds transactions that wait. Elsewhere it repeats the latest block: Avalanche's
   * nodes show what is accepted, and the rollups' sequencers show nothing before its block.
   */
  readonly hasPendingBlock: boolean;
  /**
   * Contracts, in lower case, whose `Transfer` logs tell of the coin itself, which is read from the transactions: such a
   * log would be the same money a second time.
   */
  readonly coinLogContracts: readonly string[];
  /** Wei per gas: less than this beside the base fee is not forwarded by the chain's usual nodes. */
  readonly leastTip: bigint;
  /**
   * What a transaction pays for its place on the chain below: `none`; `apart`, told by the OP stack's price oracle and taken
   * beside the gas; `inGas`, as more gas used (Arbitrum), which a node's estimate includes.
   */
  readonly dataFee: "none" | "apart" | "inGas";
  /** EIP-7702: accounts can run a contract's code, so that one transaction empties many of them. */
  readonly hasDelegation: boolean;
};

/** Which network of a chain is followed. */
export type EvmNetwork = {
  readonly chainId: number;
  /** Hash of block 0: tells two networks of one chain id apart. Null: not checked. */
  readonly genesisHash: string | null;
};

const gwei = 10n ** 9n;

const evmChains: readonly EvmChain[] = [
  {
    chain: "ETH",
    hasPendingBlock: true,
    coinLogContracts: [],
    // Geth's miners want a thousandth of a gwei (its `miner.gasprice` since 1.14).
    leastTip: gwei / 1000n,
    dataFee: "none",
    hasDelegation: true,
  },
  {
    chain: "BNB-BSC",
    hasPendingBlock: true,
    coinLogContracts: [],
    // The whole price, since the base fee is 0: what its validators take since 2025.
    leastTip: gwei / 20n,
    dataFee: "none",
    hasDelegation: true,
  },
  {
    chain: "MATIC",
    hasPendingBlock: true,
    // The coin's own contract logs what its `transfer` moves as ordinary value at the same time.
    coinLogContracts: ["0x0000000000000000000000000000000000001010"],
    // Bor refuses less (its `txpool.pricelimit` and `miner.gasprice`).
    leastTip: 25n * gwei,
    dataFee: "none",
    hasDelegation: true,
  },
  {
    chain: "AVAX",
    hasPendingBlock: false,
    coinLogContracts: [],
    leastTip: 1n,
    dataFee: "none",
    hasDelegation: false,
  },
  // The sequencer takes whatever comes first: a tip buys nothing and is not charged.
  {
    chain: "ARB",
    hasPendingBlock: false,
    coinLogContracts: [],
    leastTip: 0n,
    dataFee: "inGas",
    hasDelegation: true,
  },
  {
    chain: "OPT",
    hasPendingBlock: false,
    coinLogContracts: [],
    leastTip: gwei / 1000n,
    dataFee: "apart",
    hasDelegation: true,
  },
  {
    chain: "ETH-BASE",
    hasPendingBlock: false,
    coinLogContracts: [],
    leastTip: gwei / 1000n,
    dataFee: "apart",
    hasDelegation: true,
  },
];

/** The record of a chain named by its coin's alpha code; null for a chain of another family. */
export function findEvmChain(chain: ChainId): EvmChain | null {
  return evmChains.find((record) => record.chain === chain) ?? null;
}
