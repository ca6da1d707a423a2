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
    // The security parameter: nodes replace no more blocks.
    reorgLimit: 2160,
    canIncludeFee: false,
    canPayItself: true,
    tag: null,
    // CIP-13.
    paymentUri: { kind: "bip321", scheme: "web+cardano" },
    explorer: "https://cardanoscan.io/transaction/",
    tokens: null,
    family: "cardano",
    facts: {
      magics: { mainnet: 764824073, testnet: 1 },
      // Shelley began at slot 4,492,800 on 2020-07-29 21:44:51 UTC, on preprod at slot 86,400 on 2022-06-21 00:00:00 UTC.
      slotZero: { mainnet: 1591566291, testnet: 1655683200 },
    },
  },
});
