/** How a chain of Cardano's family differs from others. `testnet` is preprod. */
export type CardanoFacts = {
  /** The public networks' magic numbers, which identify them, and are part of Byron's addresses of test networks. */
  readonly magics: { readonly mainnet: number; readonly testnet: number };
  /** The time of slot 0 in seconds since 1970, were all slots a second long, as they are since Shelley. */
  readonly slotZero: { readonly mainnet: number; readonly testnet: number };
};
