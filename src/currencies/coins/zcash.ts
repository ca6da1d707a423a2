import { proofOfWorkReorgLimit } from "../chain-record.ts";
import { defineCoin } from "../coin.ts";

export const zcash = defineCoin({
  id: "1020",
  alpha: "ZEC",
  name: "Zcash",
  pricedAs: "ZEC",
  exp: 8,
  confirmationBlocks: 12,
  // Above ZIP-317's minimum fee of 10,000 zat.
  minimalTransfer: "0.0002",
  supply: 21_000_000n,
  blockDelay: 75,
  chain: {
    name: "Zcash",
    coinType: 133,
    reorgLimit: proofOfWorkReorgLimit,
    canIncludeFee: true,
    canPayItself: true,
    tag: null,
    paymentUri: { kind: "bip321", scheme: "zcash" },
    tokens: null,
    family: "utxo",
    facts: null,
  },
});
