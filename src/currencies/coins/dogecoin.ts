import { proofOfWorkReorgLimit } from "../chain-record.ts";
import { defineCoin } from "../coin.ts";

export const dogecoin = defineCoin({
  id: "1019",
  alpha: "DOGE",
  name: "Dogecoin",
  pricedAs: "DOGE",
  exp: 8,
  confirmationBlocks: 20,
  minimalTransfer: "0.1",
  supply: 1_000_000_000_000n,
  blockDelay: 60,
  chain: {
    name: "Dogecoin",
    coinType: 3,
    reorgLimit: proofOfWorkReorgLimit,
    canIncludeFee: true,
    canPayItself: true,
    tag: null,
    paymentUri: { kind: "bip321", scheme: "dogecoin" },
    tokens: null,
    family: "utxo",
    facts: null,
  },
});
