/** How a chain of Stellar's family differs from others. */
export type StellarFacts = {
  /** The passphrases of the public networks, which every signature covers. */
  readonly passphrases: { readonly mainnet: string; readonly testnet: string };
};
