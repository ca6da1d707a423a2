/**
 * The contract in which a jetton lies for its owner. With the jetton's master and the owner it determines the contract's address, so neither
 * a node nor a worker can name another one.
 */
export type JettonWalletForm = {
  /** Of the code's cell, 64 hexadecimal digits; of the cell that refers to a library where the code is in one. */
  readonly codeHash: string;
  /** The longest way down in that cell to one without others. */
  readonly codeDepth: number;
  /** Of its data: `tep-74` of the reference contract, which contains the code; `stablecoin` begins with a status and has no code. */
  readonly layout: "tep-74" | "stablecoin";
};

/** How a chain of TON's family differs from others. */
export type TonFacts = {
  /** The numbers in the blocks of the public networks. */
  readonly globalIds: { readonly mainnet: number; readonly testnet: number };
  /** The wallets of known jettons, by locator. */
  readonly jettonWallets: Readonly<Record<string, JettonWalletForm>>;
};
