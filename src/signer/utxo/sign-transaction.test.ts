import { secp256k1 } from "@noble/curves/secp256k1.js";
import { RawTx, Transaction } from "@scure/btc-signer";
import { describe, expect, it } from "vitest";
import { signTransaction } from "./sign-transaction.ts";

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (data: Uint8Array): string => Buffer.from(data).toString("hex");
const reversed = (text: string): string => hex(bytes(text).reverse());

describe("a signature", () => {
  it("has the bytes of BIP-143's P2SH-P2WPKH example", () => {
    const privateKey = bytes("eb696a065ef48a2192da5b28b694f87544b30fae8327c4510137a922f32c6dcf");
    const { raw, txid } = signTransaction({
      version: 1,
      lockTime: 0x492,
      inputs: [
        {
          txid: reversed("db6b1b20aa0fd7b23880be2ecbd4a98130974cf4748fb66092ac4d3ceb1a5477"),
          vout: 1,
          units: 1_000_000_000n,
          sequence: 0xfffffffe,
          addressType: "p2sh-segwit",
          privateKey,
          publicKey: secp256k1.getPublicKey(privateKey),
        },
      ],
      outputs: [
        {
          script: bytes("76a914a457b684d7f0d539a46a45bbc043f35b59d0d96388ac"),
          units: 199_996_600n,
        },
        {
          script: bytes("76a914fd270b1ee6abcaea97fea7ad0402e8bd8ad6d77c88ac"),
          units: 800_000_000n,
        },
      ],
    });
    expect(hex(raw)).toBe(
      "01000000000101db6b1b20aa0fd7b23880be2ecbd4a98130974cf4748fb66092ac4d3ceb1a5477010000001716001479091972186c449eb1ded22b78e40d009bdf0089feffffff02b8b4eb0b000000001976a914a457b684d7f0d539a46a45bbc043f35b59d0d96388ac0008af2f000000001976a914fd270b1ee6abcaea97fea7ad0402e8bd8ad6d77c88ac02473044022047ac8e878352d3ebbde1c94ce3a10d057c24175747116f8288e5d794d12d482f0220217f36a485cae903c713331d877c1f64677e3622ad4010726870540656fe9dcb012103ad1d8e89212f0b92c74d23bb710c00662ad1470198ac48c43f7d6f93a2a2687392040000",
    );
    expect(txid).toMatch(/^[0-9a-f]{64}$/);
  });

  type Raw = {
    readonly version: number;
    readonly lockTime: number;
    readonly inputs: readonly {
      readonly txid: Uint8Array;
      readonly index: number;
      readonly sequence: number;
    }[];
    readonly outputs: readonly { readonly amount: bigint; readonly script: Uint8Array }[];
  };

  /** From BIP-341's wallet-test-vectors.json, `keyPathSpending`: the transaction, what it spends, and how each input is signed. */
  const taproot = {
    unsigned:
      "02000000097de20cbff686da83a54981d2b9bab3586f4ca7e48f57f5b55963115f3b334e9c010000000000000000d7b7cab57b1393ace2d064f4d4a2cb8af6def61273e127517d44759b6dafdd990000000000fffffffff8e1f583384333689228c5d28eac13366be082dc57441760d957275419a418420000000000fffffffff0689180aa63b30cb162a73c6d2a38b7eeda2a83ece74310fda0843ad604853b0100000000feffffffaa5202bdf6d8ccd2ee0f0202afbbb7461d9264a25e5bfd3c5a52ee1239e0ba6c0000000000feffffff956149bdc66faa968eb2be2d2faa29718acbfe3941215893a2a3446d32acd050000000000000000000e664b9773b88c09c32cb70a2a3e4da0ced63b7ba3b22f848531bbb1d5d5f4c94010000000000000000e9aa6b8e6c9de67619e6a3924ae25696bb7b694bb677a632a74ef7eadfd4eabf0000000000ffffffffa778eb6a263dc090464cd125c466b5a99667720b1c110468831d058aa1b82af10100000000ffffffff0200ca9a3b000000001976a91406afd46bcdfd22ef94ac122aa11f241244a37ecc88ac807840cb0000000020ac9a87f5594be208f8532db38cff670c450ed2fea8fcdefcc9a663f78bab962b0065cd1d",
    spent: [
      ["512053a1f6e454df1aa2776a2814a721372d6258050de330b3c6d10ee8f4e0dda343", 420_000_000n],
      ["5120147c9c57132f6e7ecddba9800bb0c4449251c92a1e60371ee77557b6620f3ea3", 462_000_000n],
      ["76a914751e76e8199196d454941c45d1b3a323f1433bd688ac", 294_000_000n],
      ["5120e4d810fd50586274face62b8a807eb9719cef49c04177cc6b76a9a4251d5450e", 504_000_000n],
      ["512091b64d5324723a985170e4dc5a0f84c041804f2cd12660fa5dec09fc21783605", 630_000_000n],
      ["00147dd65592d0ab2fe0d0257d571abf032cd9db93dc", 378_000_000n],
      ["512075169f4001aa68f15bbed28b218df1d0a62cbbcf1188c6665110c293c907b831", 672_000_000n],
      ["5120712447206d7a5238acc7ff53fbe94a3b64539ad291c7cdbc490b7577e4b17df5", 546_000_000n],
      ["512077e30a5522dd9f894c3f8b8bd4c4b2cf82ca7da8a3ea6a239655c39c050ab220", 588_000_000n],
    ] as const,
    /** Those of its signatures that cover everything, as ours do: SIGHASH_ALL and SIGHASH_DEFAULT. */
    signed: [
      {
        index: 3,
        hashType: 1,
        privateKey: "d3c7af07da2d54f7a7735d3d0fc4f0a73164db638b2f2f7c43f711f6d4aa7e64",
        tapInternalKey: "93478e9488f956df2396be2ce6c5cced75f900dfa18e7dabd2428aae78451820",
        tapMerkleRoot: "c525714a7f49c28aedbbba78c005931a81c234b2f6c99a73e4d06082adc8bf2b",
        sigHash: "bf013ea93474aa67815b1b6cc441d23b64fa310911d991e713cd34c7f5d46669",
        witness:
          "ff45f742a876139946a149ab4d9185574b98dc919d2eb6754f8abaa59d18b025637a3aa043b91817739554f4ed2026cf8022dbd83e351ce1fabc272841d2510a01",
      },
      {
        index: 4,
        hashType: 0,
        privateKey: "f36bb07a11e469ce941d16b63b11b9b9120a84d9d87cff2c84a8d4affb438f4e",
        tapInternalKey: "e0dfe2300b0dd746a3f8674dfd4525623639042569d829c7f0eed9602d263e6f",
        tapMerkleRoot: "ccbd66c6f7e8fdab47b3a486f59d28262be857f30d4773f2d5ea47f7761ce0e2",
        sigHash: "4f900a0bae3f1446fd48490c2958b5a023228f01661cda3496a11da502a7f7ef",
        witness:
          "b4010dd48a617db09926f729e79c33ae0b4e94b79f04a1ae93ede6315eb3669de185a17d2b0ac9ee09fd4c64b678a0b61a0a86fa888a273c8511be83bfd6810f",
      },
    ],
  };

  it.each(taproot.signed)(
    "equals BIP-341's taproot signatures (hash type $hashType)",
    ({ hashType, index, privateKey, sigHash, tapInternalKey, tapMerkleRoot, witness }) => {
      // Our own outputs have no script tree, and BIP-341 signs none of those for everything, so this tests the library.
      const raw: Raw = RawTx.decode(bytes(taproot.unsigned));
      const transaction = new Transaction({
        version: raw.version,
        lockTime: raw.lockTime,
        allowLegacyWitnessUtxo: true,
        allowUnknownOutputs: true,
        disableScriptCheck: true,
      });
      for (const [at, { index: vout, sequence, txid }] of raw.inputs.entries()) {
        const [script, amount] = taproot.spent[at]!;
        const ours =
          at === index
            ? {
                tapInternalKey: bytes(tapInternalKey),
                tapMerkleRoot: bytes(tapMerkleRoot),
                sighashType: hashType,
              }
            : {};
        const witnessUtxo = { script: bytes(script), amount };
        transaction.addInput({ txid, index: vout, sequence, witnessUtxo, ...ours });
      }
      for (const { amount, script } of raw.outputs) transaction.addOutput({ script, amount });
      const scripts = taproot.spent.map(([script]) => bytes(script));
      const amounts = taproot.spent.map(([, amount]) => amount);
      expect(hex(transaction.preimageWitnessV1(index, scripts, hashType, amounts))).toBe(sigHash);
      transaction.signIdx(bytes(privateKey), index, [hashType], new Uint8Array(32));
      expect(hex(transaction.getInput(index).tapKeySig!)).toBe(witness);
    },
  );
});
