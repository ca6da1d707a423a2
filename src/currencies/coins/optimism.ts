import { defineCoin } from "../coin.ts";
import { gwei } from "../evm-facts.ts";
import { erc20 } from "../token-format.ts";

export const optimism = defineCoin({
  id: "1144",
  alpha: "OPT",
  name: "Ether on OP Mainnet",
  pricedAs: "ETH",
  exp: 18,
  // Outlasts a mistake of the sequencer.
  confirmationBlocks: 30,
  minimalTransfer: "0.00001",
  supply: 200_000_000n,
  blockDelay: 2,
  chain: {
    name: "OP Mainnet",
    coinType: 60,
    reorgLimit: 1024,
    canIncludeFee: false,
    canPayItself: false,
    tag: null,
    paymentUri: { kind: "erc681" },
    explorer: "https://optimistic.etherscan.io/tx/",
    tokens: erc20,
    family: "evm",
    facts: {
      chainIds: { mainnet: 10, testnet: 11155420 },
      hasPendingBlock: false,
      coinLogContracts: [],
      protocolCredits: "fees of the sequencer",
      leastTip: gwei / 1000n,
      dataFee: "apart",
      hasDelegation: true,
      paysTogether: true,
      sandbox: {
        isDefault: false,
        chainId: 1342,
        tokens: { "USDT-OPT": "TetherLike", "USDC-OPT": "DollarLike" },
      },
    },
  },
  tokens: [
    {
      id: "2904",
      alpha: "USDT-OPT",
      name: "Tether USD",
      pricedAs: "USDT",
      exp: 6,
      minimalTransfer: "0.01",
      publicMinimum: "0.02",
      contract: "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58",
      standard: "erc-20",
    },
    {
      id: "2905",
      alpha: "USDC-OPT",
      name: "USD Coin",
      pricedAs: "USDC",
      exp: 6,
      minimalTransfer: "0.01",
      publicMinimum: "0.02",
      contract: "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85",
      standard: "erc-20",
    },
  ],
});
