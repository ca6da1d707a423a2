import { defineCoin } from "../coin.ts";

export const xrp = defineCoin({
  id: "1010",
  alpha: "XRP",
  name: "XRP",
  pricedAs: "XRP",
  exp: 6,
  confirmationBlocks: 1,
  minimalTransfer: "0.1",
  supply: 100_000_000_000n,
  blockDelay: 4,
  chain: {
    name: "XRP Ledger",
    coinType: 144,
    reorgLimit: null,
    canIncludeFee: false,
    canPayItself: false,
    tag: "destination-tag",
    paymentUri: null,
    explorer: "https://livenet.xrpl.org/transactions/",
    tokens: null,
    family: "xrpl",
    // From xrpl.org: nodes of the main network and of its test network report these.
    facts: { networkIds: { mainnet: 0, testnet: 1 } },
  },
});
