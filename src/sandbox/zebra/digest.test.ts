import { secp256k1 } from "@bitauth/libauth/build/lib/crypto/default-crypto-instances.js";
import { describe, expect, it } from "vitest";
import recorded from "../../../test/vectors/zcash-node-answers.json" with { type: "json" };
import { noShieldedPart, signatureDigest } from "../../signer/utxo/zip244.ts";
import { hash160 } from "./addresses.ts";
import { genesis, readHeader } from "./blocks.ts";
import { decode, encode, readTransaction } from "./codec.ts";
import { sighash, txidDigest } from "./digest.ts";
import { upgradeAt, upgradesAt } from "./upgrades.ts";

/** Of version 5, for NU6.3. */
const transaction = {
  version: 5,
  branch: 0x37a5165b,
  lockTime: 7,
  expiryHeight: 500,
  inputs: [1, 2].map((number) => ({
    txid: `a${number}`.repeat(32),
    vout: number,
    scriptSig: "51".repeat(number * 200),
    sequence: 0xfffffff0 + number,
  })),
  outputs: [{ units: 90_000n, script: `76a914${"bc".repeat(20)}88ac` }],
} as const;
const coins = [
  { units: 60_000n, script: `76a914${"01".repeat(20)}88ac` },
  { units: 50_000n, script: `a914${"02".repeat(20)}87` },
];

describe("the simulated node's digests", () => {
  it("of version 5 are the signer's, which the vectors of ZIP-244 confirm", () => {
    const inputs = transaction.inputs.map((input, index) => ({
      ...input,
      units: coins[index]!.units,
      script: Buffer.from(coins[index]!.script, "hex"),
    }));
    const outputs = transaction.outputs.map(({ script, units }) => ({
      units,
      script: Buffer.from(script, "hex"),
    }));
    const same = { ...transaction, branchId: "37a5165b", inputs, outputs };
    for (const index of [0, 1])
      expect(sighash(transaction, coins, index, 0).toString("hex")).toBe(
        Buffer.from(signatureDigest(same, index, noShieldedPart)).toString("hex"),
      );
  });

  it("of version 4 verify a payment of the main network", () => {
    const { hex, txid } = recorded.transparent;
    expect(readTransaction(hex)?.txid).toBe(txid);
    const decoded = decode({ raw: hex });
    const scriptSig = Buffer.from(decoded.inputs[0]!.scriptSig, "hex");
    const length = scriptSig.readUInt8();
    const [signature, publicKey] = [scriptSig.subarray(1, length), scriptSig.subarray(length + 2)];
    // Its coin's amount is the one for which the signature is valid: it paid a fee of 11,978.
    const coin = { units: 4_896_866n, script: recordedScript(publicKey) };
    const nu6 = Number.parseInt("c8e71055", 16);
    const verifies = (branch: number, units = coin.units): boolean =>
      secp256k1.verifySignatureDERLowS(
        signature,
        publicKey,
        sighash(decoded, [{ ...coin, units }], 0, branch),
      );
    expect(verifies(nu6)).toBe(true);
    expect(verifies(nu6, coin.units + 1n)).toBe(false);
    expect(verifies(Number.parseInt("c2d6d0b4", 16))).toBe(false);
  });
});

function recordedScript(publicKey: Buffer): string {
  return `76a914${hash160(publicKey)}88ac`;
}

describe("bytes of the simulated node", () => {
  it("are read as they were written", () => {
    expect(decode({ raw: encode(transaction) })).toEqual(transaction);
    expect(encode(decode({ raw: recorded.transparent.hex }))).toBe(recorded.transparent.hex);
    expect(txidDigest(transaction)).toHaveLength(32);
  });

  it("begin with regtest's block 0", () => {
    expect(readHeader(genesis.header).hash).toBe(
      "029f11d80ef9765602235e1bc9727e3eb6ba20839319f761fee920d63401e327",
    );
    expect(readTransaction(genesis.transactions[0] ?? "")?.txid).toBe(
      "c4eaa58879081de3c24a7b117ed2b28300e7ec4c4c1dff1d3f1268b7857a4ddb",
    );
  });

  it.each([
    ["nothing", ""],
    ["version 6", "06000080"],
    ["a transaction that is cut off", encode(transaction).slice(0, -2)],
    ["a transaction with a byte more", `${encode(transaction)}00`],
  ])("are no transaction: %s", (_, raw) => {
    expect(readTransaction(raw)).toBeNull();
  });
});

describe("upgrades", () => {
  it("are active from their height on, and from block 1 without one", () => {
    const upgrades = upgradesAt({ "NU6.3": 50 });
    expect(upgradeAt(upgrades, 0)).toBeNull();
    expect(upgradeAt(upgrades, 1)?.name).toBe("NU6.2");
    expect(upgradeAt(upgrades, 50)).toMatchObject({ name: "NU6.3", branchId: "37a5165b" });
  });
});
