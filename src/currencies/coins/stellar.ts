import { defineCoin } from "../coin.ts";
import { stellarAsset } from "../token-format.ts";

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
    paymentUri: { kind: "sep7" },
    explorer: "https://stellar.expert/explorer/public/tx/",
    tokens: stellarAsset,
    family: "stellar",
    // From developers.stellar.org.
    facts: {
      passphrases: {
        mainnet: "Public Global Stellar Network ; September 2015",
        testnet: "Test SDF Network ; September 2015",
      },
    },
  },
  tokens: [
    {
      id: "2910",
      alpha: "USDC-XLM",
      name: "USD Coin",
      pricedAs: "USDC",
      exp: 7,
      minimalTransfer: "0.01",
      // Circle's, from circle.com.
      contract: "USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN",
      standard: "stellar-asset",
    },
  ],
});
