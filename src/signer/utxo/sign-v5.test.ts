import { secp256k1 } from "@noble/curves/secp256k1.js";
import { HDKey } from "@scure/bip32";
import { describe, expect, it } from "vitest";
import { signedUtxoNetwork } from "../../../test/support/known-chains.ts";
import { parseV5 } from "../../../test/support/parse-zcash-v5.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { DraftRefused, type KeyRing } from "../draft-signer.ts";
import type { SpendIntent } from "../intent.ts";
import { createUtxoDraftSigner } from "./draft-signer.ts";
import { ownScript } from "./own-script.ts";
import type { UtxoNetwork } from "./utxo-network.ts";
import { noShieldedPart, signatureDigest, transactionDigest } from "./zip244.ts";

/* Drafts of a chain with ZIP-244. The digests themselves are compared with the vectors in zip244.test.ts. */

const seed = new Uint8Array(32).fill(7);
const keys: KeyRing = { at: (path) => HDKey.fromMasterSeed(seed).derive(path) };
const network: UtxoNetwork = {
  ...signedUtxoNetwork("BTC", "main"),
  addressTypes: [""],
  segwitPrefix: null,
  publicKeyHashPrefix: "1cb8",
  scriptHashPrefix: "1cbd",
  signatureHash: "zip244",
  replacement: false,
};
const signer = createUtxoDraftSigner({ chain: "BTC", network, coldAddress: null });
const payee = "t3Vz22vK5z2LcKEdg16Yv4FFneEL1zg9ojd";
const owns = [3, 4].map((keyIndex) => ({ addressType: "", branch: 0, keyIndex }) as const);
const coins = owns.map((own, place) => ({ txid: `a${place}`.repeat(32), vout: place, own }));

const draft: JsonObject = {
  version: 1,
  inputs: coins.map(({ txid, vout, own }) => ({ txid, vout, units: "60000", ...own })),
  outputs: [{ address: payee, units: "110000", change: null }],
  previous: {},
  consensus: { branchId: "37a5165b", expiryHeight: 3_500_040 },
};

const intent: SpendIntent = {
  kind: "payout",
  spendId: "1",
  chain: "BTC",
  feeCeiling: "10000",
  payouts: [
    {
      payoutId: "7",
      chain: "BTC",
      address: payee,
      tag: null,
      currency: "1000",
      asset: { kind: "coin" },
      units: "110000",
      approval: "",
    },
  ],
};

function altered(consensus: JsonValue): JsonObject {
  return { ...draft, consensus };
}

describe("a draft for a consensus branch", () => {
  it("is decoded with its expiry, and needs no proof of its coins", () => {
    expect(signer.inspect(draft, intent, keys)).toEqual({
      claims: coins.map(({ txid, vout }) => `${txid}:${vout}`),
      feeUnits: 10_000n,
      validity: { kind: "height", last: 3_500_040 },
    });
  });

  it("is signed for that branch, with the same bytes each time", () => {
    const { raw, txid } = signer.sign(draft, keys);
    expect(signer.sign(draft, keys)).toEqual({ raw, txid });
    const signed = parseV5(raw);
    expect(signed).toMatchObject({
      branchId: "37a5165b",
      expiryHeight: 3_500_040,
      lockTime: 0,
      inputs: coins.map(({ txid: id, vout }) => ({ txid: id, vout, sequence: 0xffffffff })),
    });
    const inputs = signed.inputs.map((input, index) => ({
      ...input,
      units: 60_000n,
      script: ownScript(keys, network, owns[index]!),
    }));
    const transaction = { ...signed, inputs };
    const id = Buffer.from(transactionDigest(transaction, noShieldedPart)).reverse();
    expect(id.toString("hex")).toBe(txid);
    signed.scriptSigs.forEach((scriptSig, index) => {
      const [length = 0] = scriptSig;
      const signature = scriptSig.subarray(1, length);
      expect([scriptSig[length], scriptSig[length + 1]]).toEqual([1, 33]);
      const digest = signatureDigest(transaction, index, noShieldedPart);
      const publicKey = scriptSig.subarray(length + 2);
      const options = { prehash: false, format: "der" } as const;
      expect(secp256k1.verify(signature, digest, publicKey, options)).toBe(true);
      // Another amount of another input is another digest, so that a draft with a false amount gives no valid transaction.
      const raised = inputs.map((input, place) =>
        place === index ? input : { ...input, units: 60_001n },
      );
      const other = signatureDigest({ ...signed, inputs: raised }, index, noShieldedPart);
      expect(secp256k1.verify(signature, other, publicKey, options)).toBe(false);
    });
  });

  it("signs other bytes for another branch or expiry", () => {
    const { txid } = signer.sign(draft, keys);
    for (const consensus of [
      { branchId: "5437f330", expiryHeight: 3_500_040 },
      { branchId: "37a5165b", expiryHeight: 3_500_041 },
    ])
      expect(signer.sign(altered(consensus), keys).txid).not.toBe(txid);
  });

  it.each([
    ["no branch", null, /a part of the draft is missing/],
    ["a branch of another length", { branchId: "37a5165", expiryHeight: 9 }, /branch id/],
    ["a branch in capitals", { branchId: "37A5165B", expiryHeight: 9 }, /branch id/],
    ["no expiry", { branchId: "37a5165b", expiryHeight: 0 }, /never expire/],
    ["an expiry beyond the protocol's", { branchId: "37a5165b", expiryHeight: 5e8 }, /range/],
    ["a fraction as expiry", { branchId: "37a5165b", expiryHeight: 9.5 }, /range/],
    ["a further member", { branchId: "37a5165b", expiryHeight: 9, lockTime: 1 }, /members/],
  ] as const)("is refused with %s", (_, consensus, reason) => {
    const inspect = () => signer.inspect(altered(consensus), intent, keys);
    expect(inspect).toThrow(DraftRefused);
    expect(inspect).toThrow(reason);
  });

  it("is refused where transactions state no branch", () => {
    const bitcoin = { ...network, signatureHash: "bitcoin" } as const;
    const other = createUtxoDraftSigner({ chain: "BTC", network: bitcoin, coldAddress: null });
    expect(() => other.inspect(draft, intent, keys)).toThrow(/members/);
  });
});
