import { defineCoin } from "../coin.ts";
import { gwei } from "../evm-facts.ts";
import { erc20 } from "../token-format.ts";

export const polygon = defineCoin({
  id: "1146",
  alpha: "MATIC",
  alias: "POL",
  name: "Polygon Ecosystem Token",
  pricedAs: "POL",
  exp: 18,
  // Exceeds every reorg seen.
  confirmationBlocks: 128,
  minimalTransfer: "0.01",
  supply: 20_000_000_000n,
  blockDelay: 2,
  chain: {
    name: "Polygon PoS",
    coinType: 60,
    reorgLimit: 512,
    canIncludeFee: false,
    canPayItself: false,
    tag: null,
    paymentUri: { kind: "erc681" },
    explorer: "https://polygonscan.com/tx/",
    tokens: erc20,
    family: "evm",
    facts: {
      chainIds: { mainnet: 137, testnet: 80002 },
      hasPendingBlock: true,
      // The coin's own contract logs moves of its `transfer` that are ordinary value at the same time.
      coinLogContracts: ["0x0000000000000000000000000000000000001010"],
      protocolCredits: "deposits from Ethereum (state sync)",
      // Bor refuses less (`txpool.pricelimit` and `miner.gasprice`).
      leastTip: 25n * gwei,
      dataFee: "none",
      hasDelegation: true,
      paysTogether: true,
      sandbox: {
        isDefault: false,
        chainId: 1339,
        tokens: { "USDT-MATIC": "TetherLike", "USDC-MATIC": "DollarLike" },
      },
    },
  },
  tokens: [
    {
      id: "2900",
      alpha: "USDT-MATIC",
      name: "Tether USD",
      pricedAs: "USDT",
      exp: 6,
      minimalTransfer: "0.01",
      contract: "0xc2132D05D31c914a87C6611C10748AEb04B58e8F",
      standard: "erc-20",
    },
    {
      id: "2901",
      alpha: "USDC-MATIC",
      name: "USD Coin",
      pricedAs: "USDC",
      exp: 6,
      minimalTransfer: "0.01",
      contract: "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
      standard: "erc-20",
    },
  ],
});
