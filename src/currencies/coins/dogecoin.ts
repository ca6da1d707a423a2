import { proofOfWorkReorgLimit } from "../chain-record.ts";
import { defineCoin } from "../coin.ts";

/** Each block has a difficulty of its own (DigiShield), so no period of equal targets is checked. */
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
    explorer: "https://blockchair.com/dogecoin/transaction/",
    tokens: null,
    family: "utxo",
    facts: {
      workHash: "scrypt",
      blockHash: "sha256d",
      mergedMiningId: 0x62,
      // Of no consequence: there are no witnesses, and every transaction has inputs.
      transactionFormat: "flagged",
      addressTypes: [""],
      defaultAddressType: "",
      // Dogecoin Core's recommended limit since 1.14.6: a smaller output costs this much more in fees, one below a tenth is refused.
      dustUnits: { p2pkh: 1_000_000n, p2sh: 1_000_000n },
      signatureHash: "bitcoin",
      feeRule: "perByte",
      expiryBlocks: null,
      // Off by default in Dogecoin Core.
      replacement: false,
      // 0.01 DOGE per 1,000 bytes, which Dogecoin Core recommends and its miners ask for; it relays from a tenth.
      minersRate: 1_000_000n,
      // An input takes 148 bytes at that rate.
      lowFeePerCoin: 200_000n,
      findsById: true,
      highFeeSwitch: true,
      mempoolUnnumbered: true,
      blocks: "bytes",
      coinbaseMaturity: 240,
      balances: "none",
      pegoutMaturity: null,
      limitations: [
        "money at addresses that is in no block this service has read: nodes know outputs, but no balances of addresses",
      ],
      networks: {
        main: {
          name: "main",
          genesisHash: "1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691",
          easiestTarget: "00000fffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
          retargetBlocks: null,
          publicKeyHashPrefix: "1e",
          scriptHashPrefixes: ["16"],
          segwitPrefix: null,
          publicKeyHashLetters: "D",
          scriptHashLetters: "9A",
        },
        test: {
          name: "test",
          genesisHash: "bb0a78264637406b6360aad926284d544d7049f45189db5664f3c4d07350559e",
          easiestTarget: "00000fffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
          retargetBlocks: null,
          publicKeyHashPrefix: "71",
          scriptHashPrefixes: ["c4"],
          segwitPrefix: null,
          publicKeyHashLetters: "n",
          scriptHashLetters: "2",
        },
        regtest: {
          name: "regtest",
          genesisHash: "3d2160a3b5dc4a9d62e7e66a295f70313ac808440ef7400d6c0772171ce973a5",
          easiestTarget: "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
          retargetBlocks: null,
          publicKeyHashPrefix: "6f",
          scriptHashPrefixes: ["c4"],
          segwitPrefix: null,
          publicKeyHashLetters: "mn",
          scriptHashLetters: "2",
        },
      },
      sandbox: {
        isDefault: false,
        kind: "dialect",
        dialect: "dogecoind",
        daemonArguments: [
          // The version of merged-mined blocks of chain 0x62.
          "-blockversion=6422788",
          "-testactivationheight=segwit@100000000",
          "-addresstype=legacy",
          "-mempoolreplacement=0",
          "-walletrbf=0",
          "-minrelaytxfee=0.001",
          "-fallbackfee=0.01",
          // Makes 0.001 the smallest output to a key.
          "-dustrelayfee=0.00549451",
        ],
        hasDescriptorWallets: true,
        // The daemon creates 15,000 coins at most, half of them in the first 150 blocks.
        firstBlocks: 400,
        floatPiece: "50",
      },
    },
  },
});
