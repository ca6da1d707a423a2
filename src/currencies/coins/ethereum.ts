import { defineCoin } from "../coin.ts";
import { gwei } from "../evm-facts.ts";
import { erc20 } from "../token-format.ts";

export const ethereum = defineCoin({
  id: "1002",
  alpha: "ETH",
  name: "Ethereum",
  pricedAs: "ETH",
  exp: 18,
  // Exceeds every reorg seen.
  confirmationBlocks: 12,
  minimalTransfer: "0.00001",
  publicMinimum: "0.00015",
  supply: 200_000_000n,
  blockDelay: 12,
  chain: {
    name: "Ethereum",
    coinType: 60,
    reorgLimit: 128,
    canIncludeFee: false,
    canPayItself: true,
    tag: null,
    paymentUri: { kind: "erc681" },
    explorer: "https://etherscan.io/tx/",
    tokens: erc20,
    family: "evm",
    facts: {
      chainIds: { mainnet: 1, testnet: 11155111 },
      hasPendingBlock: true,
      coinLogContracts: [],
      // Geth's miners require a thousandth of a gwei (`miner.gasprice` since 1.14).
      leastTip: gwei / 1000n,
      dataFee: "none",
      hasDelegation: true,
      paysTogether: true,
      sandbox: {
        isDefault: true,
        chainId: 1337,
        tokens: { "USDT-ETH": "TetherLike", "USDC-ETH": "DollarLike", "DAI-ETH": "PeggedLike" },
      },
    },
  },
  tokens: [
    {
      id: "2015",
      alpha: "USDT-ETH",
      name: "Tether USD",
      pricedAs: "USDT",
      exp: 6,
      minimalTransfer: "0.01",
      publicMinimum: "1",
      contract: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
      standard: "erc-20",
    },
    {
      id: "2014",
      alpha: "USDC-ETH",
      name: "USD Coin",
      pricedAs: "USDC",
      exp: 6,
      minimalTransfer: "0.01",
      publicMinimum: "1",
      contract: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
      standard: "erc-20",
    },
    {
      id: "2068",
      alpha: "DAI-ETH",
      name: "Dai",
      pricedAs: "DAI",
      exp: 18,
      minimalTransfer: "0.01",
      publicMinimum: "1",
      contract: "0x6B175474E89094C44Da98b954EedeAC495271d0F",
      standard: "erc-20",
    },
  ],
});
