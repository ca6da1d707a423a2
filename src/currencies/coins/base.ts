import { defineCoin } from "../coin.ts";
import { gwei } from "../evm-facts.ts";
import { erc20 } from "../token-format.ts";

export const base = defineCoin({
  id: "1145",
  alpha: "ETH-BASE",
  name: "Ether on Base",
  pricedAs: "ETH",
  exp: 18,
  // Outlasts a mistake of the sequencer.
  confirmationBlocks: 30,
  minimalTransfer: "0.00001",
  supply: 200_000_000n,
  blockDelay: 2,
  chain: {
    name: "Base",
    coinType: 60,
    reorgLimit: 1024,
    canIncludeFee: false,
    canPayItself: false,
    tag: null,
    paymentUri: { kind: "erc681" },
    explorer: "https://basescan.org/tx/",
    tokens: erc20,
    family: "evm",
    facts: {
      chainIds: { mainnet: 8453, testnet: 84532 },
      hasPendingBlock: false,
      coinLogContracts: [],
      protocolCredits: "fees of the sequencer",
      leastTip: gwei / 1000n,
      dataFee: "apart",
      hasDelegation: true,
      paysTogether: true,
      sandbox: { isDefault: false, chainId: 1343, tokens: { "USDC-ETH-BASE": "DollarLike" } },
    },
  },
  tokens: [
    {
      id: "2908",
      alpha: "USDC-ETH-BASE",
      name: "USD Coin",
      pricedAs: "USDC",
      exp: 6,
      minimalTransfer: "0.01",
      publicMinimum: "0.02",
      contract: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      standard: "erc-20",
    },
  ],
});
