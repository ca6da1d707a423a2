import { defineCoin } from "../coin.ts";
import { trc20 } from "../token-format.ts";

export const tron = defineCoin({
  id: "1026",
  alpha: "TRX",
  name: "TRON",
  pricedAs: "TRX",
  exp: 6,
  // Counted from the solid block, which no fork replaces.
  confirmationBlocks: 1,
  minimalTransfer: "1",
  supply: 200_000_000_000n,
  blockDelay: 3,
  chain: {
    name: "TRON",
    coinType: 195,
    reorgLimit: null,
    canIncludeFee: false,
    canPayItself: true,
    tag: null,
    paymentUri: null,
    explorer: "https://tronscan.org/#/transaction/",
    tokens: trc20,
    family: "tron",
    facts: {
      genesisIds: {
        mainnet: "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc",
        // Nile.
        testnet: "0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc",
      },
    },
  },
  tokens: [
    {
      id: "2145",
      alpha: "USDT-TRX",
      name: "Tether USD",
      pricedAs: "USDT",
      exp: 6,
      minimalTransfer: "0.01",
      publicMinimum: "2.5",
      contract: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
      standard: "trc-20",
    },
    {
      id: "2142",
      alpha: "USDC-TRX",
      name: "USD Coin",
      pricedAs: "USDC",
      exp: 6,
      minimalTransfer: "0.01",
      publicMinimum: "2.5",
      // The issuer withdrew it; an operator may configure one.
      contract: null,
      standard: "trc-20",
    },
  ],
});
