import { defineCoin } from "../coin.ts";
import { asa } from "../token-format.ts";

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
    paymentUri: { kind: "arc90" },
    explorer: "https://allo.info/tx/",
    tokens: asa,
    family: "algorand",
    facts: {
      genesisHashes: {
        mainnet: "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=",
        testnet: "SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=",
      },
    },
  },
  tokens: [
    {
      id: "2911",
      alpha: "USDC-ALGO",
      name: "USD Coin",
      pricedAs: "USDC",
      exp: 6,
      minimalTransfer: "0.01",
      // Circle's asset on the main network.
      contract: "31566704",
      standard: "asa",
    },
  ],
});
