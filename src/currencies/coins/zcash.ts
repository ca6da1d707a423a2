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
    explorer: "https://blockchair.com/zcash/transaction/",
    tokens: null,
    family: "utxo",
    facts: {
      // Equihash, whose solution is not checked here.
      workHash: null,
      blockHash: "sha256d",
      // Of no consequence, since transactions are read as JSON.
      transactionFormat: "flagged",
      addressTypes: [""],
      defaultAddressType: "",
      // zcashd's GetDustThreshold and Zebra's is_dust: three times 100 zatoshi per 1,000 bytes, rounded down to 18.
      dustUnits: { p2pkh: 54n, p2sh: 54n },
      signatureHash: "zip244",
      feeRule: "zip317",
      // ZIP-317 charges each coin the same whenever it is spent: merging costs no more now than later, and keeps payments small.
      lowFeePerCoin: 5_000n,
      // As zcashd's wallet: 40 blocks of 75 seconds.
      expiryBlocks: 40,
      replacement: false,
      blocks: "json",
      coinbaseMaturity: 100,
      balances: "index",
      pegoutMaturity: null,
      unpaid: [
        {
          // Orchard, also with transparent and other receivers; revision 2 of ZIP-316 begins with z or t.
          starts: ["", "z", "t"].flatMap((kind) =>
            ["u1", "utest1", "uregtest1"].map((start) => kind + start),
          ),
          refusal:
            "Unified addresses are not paid, since their owners expect shielded payments: give a transparent address (t1, t3 or tex).",
        },
        {
          starts: ["zs1", "ztestsapling1", "zregtestsapling1", "zc", "zt"],
          refusal: "Shielded addresses are not paid: give a transparent address (t1, t3 or tex).",
        },
      ],
      limitations: [
        "payments straight from mining: only shielded outputs may spend them, so they are not read",
        "payments to shielded addresses: deposits have transparent addresses only",
      ],
      networks: {
        main: {
          name: "main",
          genesisHash: "00040fe8ec8471911baa1db1266ea15dd06b4a8a5c453883c000b031973dce08",
          transparentSourcePrefix: "tex",
          easiestTarget: "0007ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
          retargetBlocks: null,
          publicKeyHashPrefix: "1cb8",
          scriptHashPrefixes: ["1cbd"],
          segwitPrefix: null,
          publicKeyHashLetters: "t",
          scriptHashLetters: "t",
        },
        test: {
          name: "test",
          genesisHash: "05a60a92d99d85997cce3b87616c089f6124d7342af37106edc76126334a2c38",
          transparentSourcePrefix: "textest",
          easiestTarget: "07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
          retargetBlocks: null,
          publicKeyHashPrefix: "1d25",
          scriptHashPrefixes: ["1cba"],
          segwitPrefix: null,
          publicKeyHashLetters: "t",
          scriptHashLetters: "t",
        },
        regtest: {
          name: "regtest",
          // Zebra's.
          otherName: "test",
          genesisHash: "029f11d80ef9765602235e1bc9727e3eb6ba20839319f761fee920d63401e327",
          transparentSourcePrefix: "texregtest",
          easiestTarget: "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f",
          retargetBlocks: null,
          publicKeyHashPrefix: "1d25",
          scriptHashPrefixes: ["1cba"],
          segwitPrefix: null,
          publicKeyHashLetters: "t",
          scriptHashLetters: "t",
        },
      },
      sandbox: {
        isDefault: false,
        kind: "ledger",
        ledger: "zebra",
        floatPiece: "0.5",
      },
    },
  },
});
