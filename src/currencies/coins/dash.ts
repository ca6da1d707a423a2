import { proofOfWorkReorgLimit } from "../chain-record.ts";
import { defineCoin } from "../coin.ts";

export const dash = defineCoin({
  id: "1005",
  alpha: "DASH",
  name: "Dash",
  pricedAs: "DASH",
  exp: 8,
  // Without ChainLocks, only a block's proof of work counts.
  confirmationBlocks: 6,
  minimalTransfer: "0.0001",
  supply: 18_920_000n,
  blockDelay: 150,
  chain: {
    name: "Dash",
    coinType: 5,
    reorgLimit: proofOfWorkReorgLimit,
    canIncludeFee: true,
    canPayItself: true,
    tag: null,
    paymentUri: { kind: "bip321", scheme: "dash" },
    tokens: null,
    family: "utxo",
    facts: null,
  },
});
