/**
 * How one EVM chain is read and paid on differently from the others. Everything else is shared code. All of them serve the
 * `finalized` tag, with the chain's own finality.
 */
export type EvmFacts = {
  /** EIP-155 ids of the public networks. */
  readonly chainIds: { readonly mainnet: number; readonly testnet: number };
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
  /** How the protocol credits accounts without a transaction that a block shows as theirs, for operators. */
  readonly protocolCredits: string;
  /** Wei per gas: the chain's usual nodes do not forward a smaller tip. */
  readonly leastTip: bigint;
  /**
   * How a transaction pays for L1 data: `none`; `apart`, reported by the OP stack's price oracle and charged in addition to gas;
   * `inGas`, as more gas used (Arbitrum), which a node's estimate includes.
   */
  readonly dataFee: "none" | "apart" | "inGas";
  /** EIP-7702: accounts can delegate to a contract's code, so that one transaction sweeps many of them. */
  readonly hasDelegation: boolean;
  /**
   * Whether the hot account pays several receivers in one transaction, by EIP-7702. Not where the data counts as gas: the gas of a batch
   * cannot be bounded in advance there.
   */
  readonly paysTogether: boolean;
  readonly sandbox: EvmSandbox;
};

/** Contracts of test tokens: after Tether's and USD Coin's on Ethereum, and after those that Binance issues on its chain. */
export type TestToken = "TetherLike" | "DollarLike" | "PeggedLike";

/** How the sandbox runs the chain. */
export type EvmSandbox = {
  /** Whether a plain `npm start` runs it. */
  readonly isDefault: boolean;
  /** EIP-155 id of the private chain. */
  readonly chainId: number;
  /** The test contract in place of each token's own, by alpha code. */
  readonly tokens: Readonly<Record<string, TestToken>>;
};

/** Wei. */
export const gwei = 10n ** 9n;
