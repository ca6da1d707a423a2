import { defineCoin } from "../coin.ts";

export const ton = defineCoin({
  id: "1140",
  alpha: "TON",
  // The coin was renamed in June 2026; its code stays.
  alias: "GRAM",
  name: "Toncoin",
  pricedAs: "TON",
  exp: 9,
  confirmationBlocks: 1,
  minimalTransfer: "0.05",
  supply: 10_000_000_000n,
  blockDelay: 5,
  chain: {
    name: "The Open Network",
    coinType: 607,
    reorgLimit: null,
    canIncludeFee: true,
    canPayItself: false,
    tag: "comment",
    paymentUri: null,
    tokens: null,
    family: "ton",
    facts: null,
  },
  tokens: [
    {
      id: "2909",
      alpha: "USDT-TON",
      name: "Tether USD",
      pricedAs: "USDT",
      exp: 6,
      minimalTransfer: "0.01",
      contract: null,
      standard: "jetton",
    },
  ],
});
