import { proofOfWorkReorgLimit } from "../chain-record.ts";
import { defineCoin } from "../coin.ts";

export const monero = defineCoin({
  id: "1007",
  alpha: "XMR",
  name: "Monero",
  pricedAs: "XMR",
  exp: 12,
  // More than the 18 blocks that were replaced on 14 September 2025, and than the 10 after which an output can be spent.
  confirmationBlocks: 24,
  minimalTransfer: "0.0001",
  supply: 100_000_000n,
  blockDelay: 120,
  chain: {
    name: "Monero",
    coinType: 128,
    reorgLimit: proofOfWorkReorgLimit,
    canIncludeFee: false,
    canPayItself: false,
    tag: null,
    paymentUri: { kind: "tx-amount", scheme: "monero" },
    explorer: "https://xmrchain.net/tx/",
    tokens: null,
    family: "monero",
    facts: {
      networks: {
        mainnet: {
          nettype: "mainnet",
          addresses: "main",
          genesisHash: "418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3",
          addressPrefixes: { standard: 18, integrated: 19, subaddress: 42 },
          // Since 9 June 2022, as computed by the emission curve.
          leastRewardFrom: 2_641_623,
        },
        // Of Monero's two test networks the one on which merchants test.
        testnet: {
          nettype: "stagenet",
          addresses: "stage",
          genesisHash: "76ee3cc98646292206cd3e86f74d88b4dcc1d937088645e9b0cbca84b7ce74eb",
          addressPrefixes: { standard: 24, integrated: 25, subaddress: 36 },
          leastRewardFrom: Number.MAX_SAFE_INTEGER,
        },
        // It begins with the main network's block, and uses its addresses.
        regtest: {
          nettype: "fakechain",
          addresses: "main",
          genesisHash: "418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3",
          addressPrefixes: { standard: 18, integrated: 19, subaddress: 42 },
          leastRewardFrom: Number.MAX_SAFE_INTEGER,
        },
      },
    },
  },
});
