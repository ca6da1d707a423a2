import { defineCoin } from "../coin.ts";

export const cardano = defineCoin({
  id: "1018",
  alpha: "ADA",
  name: "Cardano",
  pricedAs: "ADA",
  exp: 6,
  confirmationBlocks: 15,
  // The protocol does not allow smaller UTXOs (about 4310 lovelace per byte).
  minimalTransfer: "1",
  supply: 45_000_000_000n,
  blockDelay: 20,
  chain: {
    name: "Cardano",
    coinType: 1815,
    reorgLimit: 2160,
    canIncludeFee: false,
    canPayItself: true,
    tag: null,
    paymentUri: null,
    explorer: "https://cardanoscan.io/transaction/",
    tokens: null,
    family: "cardano",
    facts: null,
  },
});
