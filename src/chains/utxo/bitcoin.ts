import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { UtxoChain } from "./utxo-chain.ts";

export const bitcoin: UtxoChain = {
  chain: "BTC",
  currency: "1000" as CurrencyId,
  coinType: 0,
  workHash: "sha256d",
  defaultAddressType: "bech32",
  // Bitcoin Core's GetDustThreshold at its dust relay fee of 3 sat/vB.
  dustUnits: { legacy: 546n, "p2sh-segwit": 540n, bech32: 294n, bech32m: 330n },
  coinbaseMaturity: 100,
  pegoutMaturity: null,
  limitations: [],
  networks: {
    main: {
      name: "main",
      genesisHash: "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
      easiestTarget: "00000000ffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      retargetBlocks: 2016,
      publicKeyHashPrefix: "00",
      scriptHashPrefixes: ["05"],
      segwitPrefix: "bc",
      publicKeyHashLetters: "1",
      scriptHashLetters: "3",
    },
    test: {
      name: "test",
      genesisHash: "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
      easiestTarget: "00000000ffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      retargetBlocks: null,
      publicKeyHashPrefix: "6f",
      scriptHashPrefixes: ["c4"],
      segwitPrefix: "tb",
      publicKeyHashLetters: "mn",
      scriptHashLetters: "2",
    },
    regtest: {
      name: "regtest",
      genesisHash: "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206",
      easiestTarget: "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      retargetBlocks: null,
      publicKeyHashPrefix: "6f",
      scriptHashPrefixes: ["c4"],
      segwitPrefix: "bcrt",
      publicKeyHashLetters: "mn",
      scriptHashLetters: "2",
    },
  },
};
