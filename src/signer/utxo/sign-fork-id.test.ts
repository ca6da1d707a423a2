import { decodeTransactionBCH } from "@bitauth/libauth/build/lib/message/transaction-encoding.js";
import { createVirtualMachineBCH2023 } from "@bitauth/libauth/build/lib/vm/instruction-sets/bch/2023/bch-2023-vm.js";
import { generateSigningSerializationBCH } from "@bitauth/libauth/build/lib/vm/instruction-sets/common/signing-serialization.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { HDKey } from "@scure/bip32";
import { describe, expect, it } from "vitest";
import { signedUtxoNetwork } from "../../../test/support/known-chains.ts";
import recorded from "../../../test/vectors/cash-signature-digests.json" with { type: "json" };
import { DraftRefused } from "../draft-signer.ts";
import { createUtxoDraftSigner } from "./draft-signer.ts";
import { keyPath, scriptOfAddress, scriptOfKey } from "./own-script.ts";
import { digestWithForkId, forkIdDigest, signWithForkId } from "./sign-fork-id.ts";

/* libauth computes the same digests and runs the signatures in its machine. */

const vectors = recorded.vectors as unknown as readonly (readonly [
  transaction: string,
  script: string,
  input: number,
  hashType: number,
  digest: string,
])[];
const network = signedUtxoNetwork("BCH", "main");
const payee = "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a";
const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(3));
const keys = { at: (path: string) => root.derive(path) };

const unsigned = {
  version: 2,
  lockTime: 0,
  inputs: [1, 2, 3].map((number) => {
    const privateKey = new Uint8Array(32).fill(number);
    return {
      txid: number.toString(16).padStart(2, "0").repeat(32),
      vout: number,
      units: 100_000n * BigInt(number),
      sequence: 0xffffffff,
      addressType: "" as const,
      publicKey: secp256k1.getPublicKey(privateKey),
      privateKey,
    };
  }),
  outputs: [
    { script: scriptOfAddress(network, payee), units: 590_000n },
    { script: Buffer.from(`aa20${"07".repeat(32)}87`, "hex"), units: 5_000n },
  ],
};

function resolved(raw: Uint8Array, units: (index: number) => bigint) {
  const transaction = decodeTransactionBCH(raw);
  if (typeof transaction === "string") throw new Error(transaction);
  const sourceOutputs = unsigned.inputs.map(({ publicKey }, index) => ({
    valueSatoshis: units(index),
    lockingBytecode: scriptOfKey(publicKey, "").script,
  }));
  return { transaction, sourceOutputs };
}

const trueUnits = (index: number): bigint => unsigned.inputs[index]?.units ?? 0n;

describe("the digest with the fork's id", () => {
  it("is Bitcoin Cash Node's for each of its vectors that covers all inputs and outputs", () => {
    expect(vectors.length).toBeGreaterThan(100);
    for (const [raw, script, index, hashType, digest] of vectors) {
      const transaction = decodeTransactionBCH(Buffer.from(raw, "hex"));
      if (typeof transaction === "string") throw new Error(transaction);
      const inputs = transaction.inputs.map((input) => ({
        txid: Buffer.from(input.outpointTransactionHash).toString("hex"),
        vout: input.outpointIndex,
        sequence: input.sequenceNumber,
      }));
      const input = inputs[index];
      if (input === undefined) throw new Error(`no input ${index}`);
      const found = digestWithForkId(
        {
          inputs,
          version: transaction.version,
          lockTime: transaction.locktime,
          outputs: transaction.outputs.map(({ lockingBytecode, valueSatoshis }) => ({
            script: lockingBytecode,
            units: valueSatoshis,
          })),
        },
        { ...input, units: 0n, script: Buffer.from(script, "hex"), hashType: hashType >>> 0 },
      );
      expect(Buffer.from(found).reverse().toString("hex")).toBe(digest);
    }
  });
});

describe("a signature with the fork's id", () => {
  it("signs the digest that libauth computes, for each input", () => {
    const { sourceOutputs, transaction } = resolved(signWithForkId(unsigned).raw, trueUnits);
    unsigned.inputs.forEach(({ publicKey }, inputIndex) => {
      const serialization = generateSigningSerializationBCH(
        { inputIndex, sourceOutputs, transaction },
        {
          coveredBytecode: scriptOfKey(publicKey, "").script,
          signingSerializationType: Uint8Array.of(0x41),
        },
      );
      expect(forkIdDigest(unsigned, inputIndex)).toEqual(sha256(sha256(serialization)));
    });
  });

  it("is accepted by Bitcoin Cash, and only with the true amounts", () => {
    const machine = createVirtualMachineBCH2023(true);
    const { raw } = signWithForkId(unsigned);
    expect(machine.verify(resolved(raw, trueUnits))).toBe(true);
    const lie = resolved(raw, (index) => trueUnits(index) + (index === 1 ? 1n : 0n));
    expect(machine.verify(lie)).toMatch(/input index 1/);
  });

  it("is the same every time", () => {
    expect(signWithForkId(unsigned)).toEqual(signWithForkId(unsigned));
  });
});

describe("the draft signer on Bitcoin Cash", () => {
  const signer = createUtxoDraftSigner({ chain: "BCH", network, coldAddress: null });
  const input = (vout: number) => ({
    txid: "11".repeat(32),
    vout,
    units: "100000",
    addressType: "",
    branch: 0,
    keyIndex: 5,
  });
  const draft = (inputs: readonly ReturnType<typeof input>[], address = payee) => ({
    version: 1,
    inputs: inputs.map((one) => ({ ...one })),
    outputs: [{ address, units: "99000", change: null }],
    previous: {},
  });
  const intent = {
    kind: "payout" as const,
    spendId: "1",
    chain: "BCH",
    feeCeiling: "10000000",
    payouts: [
      {
        payoutId: "1",
        chain: "BCH",
        address: payee,
        tag: null,
        currency: "1006" as never,
        asset: { kind: "coin" as const },
        units: "99000",
        approval: "",
      },
    ],
  };

  it("signs a single input without the transaction that made it, since a lie about its amount gives no valid signature", () => {
    expect(signer.inspect(draft([input(0)]), intent, keys)).toMatchObject({ feeUnits: 1_000n });
    const path = keyPath(network, { addressType: "", branch: 0, keyIndex: 5 });
    expect(path).toBe("m/44'/145'/0'/0/5");
    const { raw } = signer.sign(draft([input(0)]), keys);
    const transaction = decodeTransactionBCH(raw);
    expect(transaction).toMatchObject({ inputs: [{ sequenceNumber: 0xffffffff }] });
  });

  it("refuses several inputs without the transactions that made them", () => {
    expect(() => signer.inspect(draft([input(0), input(1)]), intent, keys)).toThrow(DraftRefused);
  });

  it.each([
    ["the same hash on another network", "bchtest:qpm2qsznhks23z7629mms6s4cwef74vcwvqcw003ap"],
    ["another receiver", "bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy"],
  ])("refuses to pay %s", (_, address) => {
    expect(() => signer.inspect(draft([input(0)], address), intent, keys)).toThrow(DraftRefused);
  });
});
