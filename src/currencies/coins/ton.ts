import { defineCoin } from "../coin.ts";
import { jetton } from "../token-format.ts";

/** Tether's, from tether.to. */
const tether = "EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs";

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
    paymentUri: { kind: "ton-transfer" },
    explorer: "https://tonviewer.com/transaction/",
    tokens: jetton,
    family: "ton",
    facts: {
      // From docs.ton.org.
      globalIds: { mainnet: -239, testnet: -3 },
      jettonWallets: {
        // Its wallets' code is a library of the masterchain: this is the cell that refers to it, from the master's get_jetton_data.
        [tether]: {
          codeHash: "89468f02c78e570802e39979c8516fc38df07ea76a48357e0536f2ba7b3ee37b",
          codeDepth: 0,
          layout: "stablecoin",
        },
      },
    },
  },
  tokens: [
    {
      id: "2909",
      alpha: "USDT-TON",
      name: "Tether USD",
      pricedAs: "USDT",
      exp: 6,
      minimalTransfer: "0.01",
      contract: tether,
      standard: "jetton",
    },
  ],
});
