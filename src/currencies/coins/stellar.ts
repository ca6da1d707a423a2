import { defineCoin } from "../coin.ts";

export const stellar = defineCoin({
  id: "1021",
  alpha: "XLM",
  name: "Stellar Lumens",
  pricedAs: "XLM",
  exp: 7,
  confirmationBlocks: 1,
  minimalTransfer: "0.1",
  supply: 105_443_902_088n,
  blockDelay: 5,
  chain: {
    name: "Stellar",
    coinType: 148,
    reorgLimit: null,
    canIncludeFee: false,
    canPayItself: false,
    tag: "memo",
    paymentUri: null,
    tokens: null,
    family: "stellar",
    facts: null,
  },
  tokens: [
    {
      id: "2910",
      alpha: "USDC-XLM",
      name: "USD Coin",
      pricedAs: "USDC",
      exp: 7,
      minimalTransfer: "0.01",
      contract: null,
      standard: "stellar-asset",
    },
  ],
});
