import { defineCoin } from "../coin.ts";
import { gwei } from "../evm-facts.ts";
import { erc20 } from "../token-format.ts";

export const bnb = defineCoin({
  id: "1125",
  alpha: "BNB-BSC",
  alias: "BNB",
  name: "BNB",
  pricedAs: "BNB",
  exp: 18,
  // Exceeds every reorg seen.
  confirmationBlocks: 15,
  minimalTransfer: "0.0001",
  supply: 200_000_000n,
  blockDelay: 1,
  chain: {
    name: "BNB Smart Chain",
    coinType: 60,
    reorgLimit: 128,
    canIncludeFee: false,
    canPayItself: true,
    tag: null,
    paymentUri: { kind: "erc681" },
    explorer: "https://bscscan.com/tx/",
    tokens: erc20,
    family: "evm",
    facts: {
      chainIds: { mainnet: 56, testnet: 97 },
      hasPendingBlock: true,
      coinLogContracts: [],
      protocolCredits: "block rewards",
      // The whole price, since the base fee is 0: what validators have accepted since 2025.
      leastTip: gwei / 20n,
      dataFee: "none",
      hasDelegation: true,
      paysTogether: true,
      sandbox: {
        isDefault: false,
        chainId: 1338,
        tokens: { "USDC-BSC": "PeggedLike", "BUSD-T-BSC": "PeggedLike" },
      },
    },
  },
  tokens: [
    {
      id: "2102",
      alpha: "USDC-BSC",
      name: "USD Coin",
      pricedAs: "USDC",
      exp: 18,
      minimalTransfer: "0.01",
      publicMinimum: "0.05",
      contract: "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d",
      standard: "erc-20",
    },
    {
      id: "2065",
      alpha: "BUSD-T-BSC",
      // Binance-Peg Tether, under its former code "Binance-Peg BSC-USD".
      alias: "USDT",
      name: "Tether USD",
      pricedAs: "USDT",
      exp: 18,
      minimalTransfer: "0.01",
      publicMinimum: "0.05",
      contract: "0x55d398326f99059fF775485246999027B3197955",
      standard: "erc-20",
    },
  ],
});
