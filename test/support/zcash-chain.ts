import type { UtxoChain } from "../../src/chains/utxo/utxo-chain.ts";
import { bitcoin } from "./known-chains.ts";

const transparent = {
  scriptHashPrefixes: ["1cba"] as const,
  publicKeyHashPrefix: "1d25",
  segwitPrefix: null,
  publicKeyHashLetters: "t",
  scriptHashLetters: "t",
  retargetBlocks: null,
};

/** Zcash's regtest, as the family's code needs to know it (zcashd's `chainparams.cpp`). */
export const zcash: UtxoChain = {
  ...bitcoin,
  coinType: 133,
  workHash: null,
  addressTypes: [""],
  defaultAddressType: "",
  dustUnits: { p2pkh: 54n, p2sh: 54n },
  blocks: "json",
  balances: "index",
  signatureHash: "zip244",
  feeRule: "zip317",
  expiryBlocks: 40,
  replacement: false,
  networks: {
    ...bitcoin.networks,
    regtest: {
      ...bitcoin.networks.regtest,
      ...transparent,
      otherName: "test",
      genesisHash: "029f11d80ef9765602235e1bc9727e3eb6ba20839319f761fee920d63401e327",
      easiestTarget: "0f".repeat(32),
    },
  },
};
