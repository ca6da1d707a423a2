import { defineCoin } from "../coin.ts";

export const algorand = defineCoin({
  id: "1141",
  alpha: "ALGO",
  name: "Algorand",
  pricedAs: "ALGO",
  exp: 6,
  confirmationBlocks: 1,
  minimalTransfer: "0.1",
  supply: 10_000_000_000n,
  blockDelay: 3,
  chain: {
    name: "Algorand",
    coinType: 283,
    reorgLimit: null,
    canIncludeFee: true,
    canPayItself: false,
    tag: null,
    paymentUri: null,
    tokens: null,
    family: "algorand",
    facts: null,
  },
  tokens: [
    {
      id: "2911",
      alpha: "USDC-ALGO",
      name: "USD Coin",
      pricedAs: "USDC",
      exp: 6,
      minimalTransfer: "0.01",
      contract: null,
      standard: "asa",
    },
  ],
});
