import { defineCoin } from "../coin.ts";
import { erc20 } from "../token-format.ts";

export const avalanche = defineCoin({
  id: "1142",
  alpha: "AVAX",
  name: "Avalanche",
  pricedAs: "AVAX",
  exp: 18,
  // Deeper than every reorg seen.
  confirmationBlocks: 12,
  minimalTransfer: "0.001",
  supply: 720_000_000n,
  blockDelay: 2,
  chain: {
    name: "Avalanche C-Chain",
    coinType: 60,
    reorgLimit: 64,
    canIncludeFee: false,
    canPayItself: false,
    tag: null,
    paymentUri: { kind: "erc681" },
    explorer: "https://snowtrace.io/tx/",
    tokens: erc20,
    family: "evm",
    facts: {
      chainIds: { mainnet: 43114, testnet: 43113 },
      hasPendingBlock: false,
      coinLogContracts: [],
      protocolCredits: "imports from other chains of Avalanche (ImportTx)",
      leastTip: 1n,
      dataFee: "none",
      hasDelegation: false,
      paysTogether: false,
      sandbox: {
        isDefault: false,
        chainId: 1340,
        tokens: { "USDT-AVAX": "TetherLike", "USDC-AVAX": "DollarLike" },
      },
    },
  },
  tokens: [
    {
      id: "2906",
      alpha: "USDT-AVAX",
      name: "Tether USD",
      pricedAs: "USDT",
      exp: 6,
      minimalTransfer: "0.01",
      contract: "0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7",
      standard: "erc-20",
    },
    {
      id: "2907",
      alpha: "USDC-AVAX",
      name: "USD Coin",
      pricedAs: "USDC",
      exp: 6,
      minimalTransfer: "0.01",
      contract: "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E",
      standard: "erc-20",
    },
  ],
});
