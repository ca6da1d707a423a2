import type { ChainId } from "../../currencies/currency.ts";

/**
 * How one EVM chain is read and paid on differently from the others; chain ids and reorg limits are in `currencies/chains.ts`.
 * Everything else is shared code. All of them serve the `finalized` tag, with the chain's own finality.
 */
export type EvmChain = {
  readonly chain: ChainId;
  /**
   * Whether a node's `pending` block holds pending transactions. Elsewhere it repeats the latest block: Avalanche's nodes show
   * accepted blocks, and the rollups' sequencers show nothing before their block.
   */
  readonly hasPendingBlock: boolean;
  /**
   * Contracts, in lower case, whose `Transfer` logs report moves of the coin itself. The coin is read from the transactions, so
   * counting such a log would count the money twice.
   */
  readonly coinLogContracts: readonly string[];
  /** Wei per gas: the chain's usual nodes do not forward a smaller tip. */
  readonly leastTip: bigint;
  /**
   * How a transaction pays for L1 data: `none`; `apart`, reported by the OP stack's price oracle and charged in addition to gas;
   * `inGas`, as more gas used (Arbitrum), which a node's estimate includes.
   */
  readonly dataFee: "none" | "apart" | "inGas";
  /** EIP-7702: accounts can delegate to a contract's code, so that one transaction sweeps many of them. */
  readonly hasDelegation: boolean;
};

/** The network of the chain that is followed. */
export type EvmNetwork = {
  readonly chainId: number;
  /** Hash of block 0: distinguishes two networks with the same chain id. Null: not checked. */
  readonly genesisHash: string | null;
};

const gwei = 10n ** 9n;

const evmChains: readonly EvmChain[] = [
  {
    chain: "ETH",
    hasPendingBlock: true,
    coinLogContracts: [],
    // Geth's miners require a thousandth of a gwei (`miner.gasprice` since 1.14).
    leastTip: gwei / 1000n,
    dataFee: "none",
    hasDelegation: true,
  },
  {
    chain: "BNB-BSC",
    hasPendingBlock: true,
    coinLogContracts: [],
    // The whole price, since the base fee is 0: what validators have accepted since 2025.
    leastTip: gwei / 20n,
    dataFee: "none",
    hasDelegation: true,
  },
  {
    chain: "MATIC",
    hasPendingBlock: true,
    // The coin's own contract logs moves of its `transfer` that are ordinary value at the same time.
    coinLogContracts: ["0x0000000000000000000000000000000000001010"],
    // Bor refuses less (`txpool.pricelimit` and `miner.gasprice`).
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
  // The sequencer orders transactions by arrival: a tip has no effect and is not charged.
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
