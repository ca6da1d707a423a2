import { proofOfWorkReorgLimit } from "../chain-record.ts";
import { defineCoin } from "../coin.ts";

const service = { bit: 5, name: "BITCOIN_CASH" };

/**
 * Each address has two spellings, CashAddr and Bitcoin's. Token-aware CashAddr addresses pay the same scripts and are written as
 * ordinary ones. Each block has a difficulty of its own (ASERT), so no period of equal targets is checked.
 */
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
    explorer: "https://blockchair.com/bitcoin-cash/transaction/",
    tokens: null,
    family: "utxo",
    facts: {
      workHash: "sha256d",
      blockHash: "sha256d",
      transactionFormat: "tokens",
      addressTypes: [""],
      defaultAddressType: "",
      spellings: ["cash", "legacy"],
      // BCHN's GetDustThreshold: 3 * (output + 148) at 1 sat/B.
      dustUnits: { p2pkh: 546n, p2sh: 540n, p2sh32: 576n },
      signatureHash: "forkid",
      feeRule: "perByte",
      expiryBlocks: null,
      replacement: false,
      hasOneEstimate: true,
      highFeeSwitch: true,
      scansWithoutBlock: true,
      mempoolUnnumbered: true,
      blocks: "bytes",
      coinbaseMaturity: 100,
      balances: "scan",
      pegoutMaturity: null,
      limitations: [],
      networks: {
        main: {
          name: "main",
          genesisHash: "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
          identity: {
            service,
            // Checkpoints of BCHN.
            splits: [
              {
                height: 478_559,
                hash: "000000000000000000651ef99cb9fcbe0dadde1d424bd9f15ff20136191a5eec",
                from: "Bitcoin",
              },
              {
                height: 556_767,
                hash: "0000000000000000004626ff6e3b936941d341c5932ece4357eeccac44e6d56c",
                from: "Bitcoin SV",
              },
              {
                height: 661_648,
                hash: "0000000000000000029e471c41818d24b8b74c911071c4ef0b4a0509f9b5a8ce",
                from: "eCash",
              },
            ],
          },
          easiestTarget: "00000000ffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
          retargetBlocks: null,
          publicKeyHashPrefix: "00",
          scriptHashPrefixes: ["05"],
          segwitPrefix: null,
          cashAddressPrefix: "bitcoincash",
          publicKeyHashLetters: "1",
          scriptHashLetters: "3",
        },
        test: {
          name: "test",
          genesisHash: "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
          identity: {
            service,
            splits: [
              {
                height: 1_155_876,
                hash: "00000000000e38fef93ed9582a7df43815d5c2ba9fd37ef70c9a0ea4a285b8f5",
                from: "Bitcoin",
              },
            ],
          },
          easiestTarget: "00000000ffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
          retargetBlocks: null,
          publicKeyHashPrefix: "6f",
          scriptHashPrefixes: ["c4"],
          segwitPrefix: null,
          cashAddressPrefix: "bchtest",
          publicKeyHashLetters: "mn",
          scriptHashLetters: "2",
        },
        regtest: {
          name: "regtest",
          genesisHash: "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206",
          identity: { service, splits: [] },
          easiestTarget: "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
          retargetBlocks: null,
          publicKeyHashPrefix: "6f",
          scriptHashPrefixes: ["c4"],
          segwitPrefix: null,
          cashAddressPrefix: "bchreg",
          publicKeyHashLetters: "mn",
          scriptHashLetters: "2",
        },
      },
      sandbox: { isDefault: false, floatPiece: "0.5", kind: "ledger", ledger: "bchn" },
    },
  },
});
