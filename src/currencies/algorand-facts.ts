/** How a chain of Algorand's family differs from others. */
export type AlgorandFacts = {
  /** Genesis hashes of the public networks in base64, which every signature covers. */
  readonly genesisHashes: { readonly mainnet: string; readonly testnet: string };
};
