import { defineCoin } from "../coin.ts";
import { erc20 } from "../token-format.ts";

export const arbitrum = defineCoin({
  id: "1143",
  alpha: "ARB",
  name: "Ether on Arbitrum One",
  pricedAs: "ETH",
  exp: 18,
  // Outlasts a mistake of the sequencer.
  confirmationBlocks: 30,
  minimalTransfer: "0.00001",
  supply: 200_000_000n,
  blockDelay: 1,
  chain: {
    name: "Arbitrum One",
    coinType: 60,
    reorgLimit: 1024,
    canIncludeFee: false,
    canPayItself: false,
    tag: null,
    paymentUri: { kind: "erc681" },
    explorer: "https://arbiscan.io/tx/",
    tokens: erc20,
    family: "evm",
    facts: {
      chainIds: { mainnet: 42161, testnet: 421614 },
      hasPendingBlock: false,
      coinLogContracts: [],
      protocolCredits: "refunds of retryable tickets",
      // The sequencer orders transactions by arrival: a tip has no effect and is not charged.
      leastTip: 0n,
      dataFee: "inGas",
      hasDelegation: true,
      paysTogether: false,
      sandbox: {
        isDefault: false,
        chainId: 1341,
        tokens: { "USDT-ARB": "TetherLike", "USDC-ARB": "DollarLike" },
      },
    },
  },
  tokens: [
    {
      id: "2902",
      alpha: "USDT-ARB",
      name: "Tether USD",
      pricedAs: "USDT",
      exp: 6,
      minimalTransfer: "0.01",
      publicMinimum: "0.02",
      contract: "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9",
      standard: "erc-20",
    },
    {
      id: "2903",
      alpha: "USDC-ARB",
      name: "USD Coin",
      pricedAs: "USDC",
      exp: 6,
      minimalTransfer: "0.01",
      publicMinimum: "0.02",
      contract: "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
      standard: "erc-20",
    },
  ],
});
