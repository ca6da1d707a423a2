import { proofOfWorkReorgLimit } from "../chain-record.ts";
import { defineCoin } from "../coin.ts";

export const bitcoinCash = defineCoin({
  id: "1006",
  alpha: "BCH",
  name: "Bitcoin Cash",
  pricedAs: "BCH",
  exp: 8,
  confirmationBlocks: 6,
  minimalTransfer: "0.00001",
  supply: 21_000_000n,
  blockDelay: 600,
  chain: {
    name: "Bitcoin Cash",
    coinType: 145,
    reorgLimit: proofOfWorkReorgLimit,
    canIncludeFee: true,
    canPayItself: true,
    tag: null,
    paymentUri: { kind: "bip321", scheme: "bitcoincash" },
    tokens: null,
    family: "utxo",
    facts: null,
  },
});
