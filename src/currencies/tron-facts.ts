/** How a TRON chain differs from others of its family. */
export type TronFacts = {
  /** Ids of block 0 of the public networks; its last four bytes are the network's number for wallets. */
  readonly genesisIds: { readonly mainnet: string; readonly testnet: string };
};
