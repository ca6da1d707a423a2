/** How a chain of the XRP Ledger's family differs from others. */
export type XrplFacts = {
  /** The network ids that nodes of the public networks report. */
  readonly networkIds: { readonly mainnet: number; readonly testnet: number };
};
