import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/**
 * Script-hash addresses were once written as on Bitcoin (`3...`, `2...`). The node still accepts those, so we parse them and
 * write the current form (`M...`, `Q...`). Addresses of the MimbleWimble extension blocks (`ltcmweb1...`) are refused: payments
 * inside them are hidden from us.
 */
export const litecoin: UtxoChain = {
  chain: "LTC",
  currency: "1003" as CurrencyId,
  coinType: 2,
  workHash: "scrypt",
  defaultAddressType: "bech32",
  // Litecoin Core's dust relay fee is ten times Bitcoin's.
  dustUnits: { legacy: 5460n, "p2sh-segwit": 5400n, bech32: 2940n, bech32m: 3300n },
  coinbaseMaturity: 100,
  pegoutMaturity: 6,
  limitations: [
    "payments inside MimbleWimble extension blocks (ltcmweb addresses): they name no address",
  ],
  networks: {
    main: {
      name: "main",
      genesisHash: "12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2",
      easiestTarget: "00000fffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      retargetBlocks: 2016,
      publicKeyHashPrefix: "30",
      scriptHashPrefixes: ["32", "05"],
      segwitPrefix: "ltc",
      publicKeyHashLetters: "L",
      scriptHashLetters: "M3",
    },
    test: {
      name: "test",
      genesisHash: "4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0",
      easiestTarget: "00000fffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      retargetBlocks: null,
      publicKeyHashPrefix: "6f",
      scriptHashPrefixes: ["3a", "c4"],
      segwitPrefix: "tltc",
      publicKeyHashLetters: "mn",
      scriptHashLetters: "Q2",
    },
    regtest: {
      name: "regtest",
      genesisHash: "530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9",
      easiestTarget: "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      retargetBlocks: null,
      publicKeyHashPrefix: "6f",
      scriptHashPrefixes: ["3a", "c4"],
      segwitPrefix: "rltc",
      publicKeyHashLetters: "mn",
      scriptHashLetters: "Q2",
    },
  },
};
