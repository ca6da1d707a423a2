import { proofOfWorkReorgLimit } from "../chain-record.ts";
import { defineCoin } from "../coin.ts";

export const monero = defineCoin({
  id: "1007",
  alpha: "XMR",
  name: "Monero",
  pricedAs: "XMR",
  exp: 12,
  confirmationBlocks: 10,
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
    paymentUri: null,
    explorer: "https://xmrchain.net/tx/",
    tokens: null,
    family: "monero",
    facts: null,
  },
});
