import { proofOfWorkReorgLimit } from "../chain-record.ts";
import { defineCoin } from "../coin.ts";

/**
 * Script-hash addresses were once written as on Bitcoin (`3...`, `2...`). The node still accepts those, so we parse them and
 * write the current form (`M...`, `Q...`). Addresses of the MimbleWimble extension blocks (`ltcmweb1...`) are refused: payments
 * inside them are hidden from us.
 */
export const litecoin = defineCoin({
  id: "1003",
  alpha: "LTC",
  name: "Litecoin",
  pricedAs: "LTC",
  exp: 8,
  confirmationBlocks: 6,
  minimalTransfer: "0.0001",
  supply: 84_000_000n,
  blockDelay: 150,
  chain: {
    name: "Litecoin",
    coinType: 2,
    reorgLimit: proofOfWorkReorgLimit,
    canIncludeFee: true,
    canPayItself: true,
    tag: null,
    paymentUri: { kind: "bip321", scheme: "litecoin" },
    explorer: "https://litecoinspace.org/tx/",
    tokens: null,
    family: "utxo",
    facts: {
      workHash: "scrypt",
      blockHash: "sha256d",
      transactionFormat: "flagged",
      addressTypes: ["legacy", "p2sh-segwit", "bech32", "bech32m"],
      defaultAddressType: "bech32",
      // Litecoin Core's dust relay fee is ten times Bitcoin's.
      dustUnits: { p2pkh: 5460n, p2sh: 5400n, p2wpkh: 2940n, p2wsh: 3300n, p2tr: 3300n },
      signatureHash: "bitcoin",
      feeRule: "perByte",
      expiryBlocks: null,
      replacement: true,
      blocks: "bytes",
      coinbaseMaturity: 100,
      balances: "scan",
      pegoutMaturity: 6,
      unpaid: [
        {
          starts: ["ltcmweb1", "tmweb1"],
          refusal:
            "Addresses in the MimbleWimble extension block are not paid: give an ordinary address.",
        },
      ],
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
      sandbox: {
        isDefault: true,
        kind: "daemon",
        daemon: "litecoind",
        daemonArguments: [
          // Off by default in litecoind.
          "-mempoolreplacement=1",
          // MimbleWimble would activate at height 432, where mining stops unless a payment into the extension block is pending.
          "-vbparams=mweb:9999999999:99999999999",
        ],
        hasDescriptorWallets: false,
        floatPiece: "5",
      },
    },
  },
});
