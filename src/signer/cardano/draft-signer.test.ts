import { FixedTransaction, Transaction } from "@emurgo/cardano-serialization-lib-nodejs";
import { ed25519 } from "@noble/curves/ed25519.js";
import { blake2b } from "@noble/hashes/blake2.js";
import { describe, expect, it } from "vitest";
import vectors from "../../../test/vectors/cardano-addresses.json" with { type: "json" };
import { transactionId } from "../../chains/cardano/broadcast.ts";
import { bytesOfAddress as sizeOfAddress } from "../../chains/cardano/draft-body.ts";
import { transactionBytes } from "../../chains/cardano/transaction-size.ts";
import { enterpriseAddress, readCardanoAddress } from "../../currencies/cardano-address.ts";
import { addSeconds, microsPerSecond } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { DraftRefused, type ExtendedEd25519Keys } from "../draft-signer.ts";
import type { SpendIntent } from "../intent.ts";
import { deriveExtendedEd25519, icarusRoot } from "../keys/bip32-ed25519.ts";
import { bytesOfAddress } from "./address.ts";
import type { CardanoNetwork } from "./cardano-network.ts";
import { createCardanoDraftSigner } from "./draft-signer.ts";

/*
 * Shows which drafts the signer signs and which it refuses. Emurgo's library reads what it signed, and the adapter's count of bytes, on which
 * the fee depends, equals the real one.
 */

const slotZero = 1_591_566_291;
const network: CardanoNetwork = {
  keys: "main",
  magic: 764824073,
  slotZero,
  unitsMax: "45000000000000000",
};
const networkId = { kind: "main", magic: network.magic } as const;
const root = icarusRoot(new Uint8Array(32).fill(1));
const keys: ExtendedEd25519Keys = {
  extendedEd25519At: (path) => deriveExtendedEd25519(root, path),
};
const ownAddress = (role: number, index: number) =>
  enterpriseAddress(
    blake2b(keys.extendedEd25519At(`m/1852'/1815'/0'/${role}/${index}`).publicKey, { dkLen: 28 }),
    "main",
  );
const [, , , receiver = ""] = vectors.payable[0] ?? [];
const [, , , byron = ""] = vectors.payable.at(-1) ?? [];
const policy = "29d222ce763455e3d7a09a665ce554f00ac89d2e99a1a83d267170c6";
const signer = createCardanoDraftSigner({
  chain: "ADA",
  network,
  coldAddress: receiver,
  clock: systemClock,
});

const until = Math.floor(addSeconds(systemClock.now(), 7_200) / microsPerSecond);
type Fields = Readonly<Record<string, unknown>>;
const inputs: readonly Fields[] = [
  { txid: "ab".repeat(32), index: 0, units: "5000000", branch: 0, keyIndex: 7 },
  { txid: "cd".repeat(32), index: 300, units: "6000000000", branch: 1, keyIndex: 2 },
];
const outputs: readonly Fields[] = [
  { address: receiver, units: "3000000", assets: {}, change: null },
  { address: byron, units: "2000000", assets: {}, change: null },
  {
    address: ownAddress(1, 9),
    units: "5999800000",
    assets: { [`${policy}.beef`]: "5", [`${policy}.00`]: "70000", [policy]: "18446744073709551" },
    change: { keyIndex: 9 },
  },
];
const bodyWith = (changed: Fields = {}): JsonObject =>
  ({
    version: 1,
    feeUnits: "200000",
    ttl: until - slotZero,
    until: until * microsPerSecond,
    inputs,
    outputs,
    ...changed,
  }) as JsonObject;

const payout = (address: string, units: string) => ({
  payoutId: "1",
  chain: "ADA",
  address,
  tag: null,
  currency: "1018",
  asset: { kind: "coin" } as const,
  units,
  approval: "",
});
const intent: SpendIntent = {
  spendId: "1",
  chain: "ADA",
  feeCeiling: "200000",
  kind: "payout",
  payouts: [payout(receiver, "3000000"), payout(byron, "2000000")],
};
const changedOutput = (at: number, changed: Fields) => ({
  outputs: outputs.map((output, index) => (index === at ? { ...output, ...changed } : output)),
});
const changedInput = (changed: Fields) => ({
  inputs: inputs.map((input, index) => (index === 0 ? { ...input, ...changed } : input)),
});

describe("the signer of Cardano", () => {
  it("signs what pays exactly the payouts, with the change and its tokens to our own key", () => {
    const body = bodyWith();
    expect(signer.inspect(body, intent, keys)).toEqual({
      claims: [`${"ab".repeat(32)}:0`, `${"cd".repeat(32)}:300`],
      feeUnits: 200_000n,
      validity: { kind: "time", until: until * microsPerSecond },
    });
    const { txid, raw } = signer.sign(body, keys);
    const theirs = Transaction.from_bytes(raw);
    expect(theirs.is_valid()).toBe(true);
    expect(
      Buffer.from(FixedTransaction.from_bytes(raw).transaction_hash().to_bytes()).toString("hex"),
    ).toBe(txid);
    expect(transactionId(raw)).toBe(txid);
    expect(signer.sign(body, keys)).toEqual({ txid, raw });

    const read = theirs.body();
    expect(read.fee().to_str()).toBe("200000");
    expect(read.ttl_bignum()?.to_str()).toBe(String(until - slotZero));
    expect(read.network_id()?.kind()).toBe(1);
    expect(read.inputs().to_js_value()).toEqual(
      inputs.map(({ txid: id, index }) => ({ transaction_id: id, index })),
    );
    const made = read.outputs();
    expect(made.get(0).address().to_bech32()).toBe(receiver);
    expect(made.get(1).address().to_hex()).toBe(
      Buffer.from(readCardanoAddress(byron, networkId)!.bytes).toString("hex"),
    );
    expect(made.get(2).address().to_bech32()).toBe(ownAddress(1, 9));
    expect(made.get(2).amount().to_js_value()).toEqual({
      coin: "5999800000",
      multiasset: { [policy]: { "": "18446744073709551", "00": "70000", beef: "5" } },
    });

    const witnesses = theirs.witness_set().vkeys();
    expect(witnesses?.len()).toBe(2);
    for (let at = 0; at < 2; at += 1) {
      const witness = witnesses!.get(at);
      const key = witness.vkey().public_key().as_bytes();
      expect(ed25519.verify(witness.signature().to_bytes(), Buffer.from(txid, "hex"), key)).toBe(
        true,
      );
    }
  });

  it("has as many bytes as the adapter counts", () => {
    const many = Array.from({ length: 30 }, (_, at) => ({
      ...inputs[0],
      index: at,
      keyIndex: at % 5,
      units: "5000000",
    }));
    for (const body of [
      bodyWith(),
      bodyWith({ inputs: many }),
      bodyWith({ outputs: outputs.slice(0, 1) }),
    ]) {
      const spent = body["inputs"] as unknown as readonly {
        index: number;
        branch: number;
        keyIndex: number;
      }[];
      const made = body["outputs"] as unknown as readonly {
        address: string;
        units: string;
        assets: Record<string, string>;
      }[];
      const counted = transactionBytes({
        inputIndexes: spent.map(({ index }) => index),
        keys: new Set(spent.map(({ branch, keyIndex }) => `${branch}/${keyIndex}`)).size,
        outputs: made.map(({ address, assets, units }) => ({
          addressBytes: sizeOfAddress(networkId, address),
          units: BigInt(units),
          assets: Object.entries(assets)
            .map(([asset, quantity]) => ({ asset, units: BigInt(quantity) }))
            .toSorted((one, other) => (one.asset < other.asset ? -1 : 1)),
        })),
        ttl: until - slotZero,
      });
      expect(signer.sign(body, keys).raw.length).toBe(counted);
    }
  });

  it.each<[string, JsonObject]>([
    ["another receiver", bodyWith(changedOutput(0, { address: ownAddress(0, 1) }))],
    ["another amount", bodyWith(changedOutput(0, { units: "3000001" }))],
    ["tokens to a receiver", bodyWith(changedOutput(0, { assets: { [policy]: "1" } }))],
    ["a payment left out", bodyWith({ outputs: outputs.slice(1), feeUnits: "3200000" })],
    ["a payment twice", bodyWith({ outputs: [...outputs, outputs[0]] })],
    ["change to a key that is not named", bodyWith(changedOutput(2, { change: { keyIndex: 8 } }))],
    ["change to a stranger", bodyWith(changedOutput(2, { address: receiver }))],
    ["a payment that calls itself change", bodyWith(changedOutput(0, { change: { keyIndex: 1 } }))],
    [
      "a higher fee",
      bodyWith({ ...changedOutput(2, { units: "5999799999" }), feeUnits: "200001" }),
    ],
    ["inputs that do not equal outputs and fee", bodyWith(changedInput({ units: "5000001" }))],
    ["a coin twice", bodyWith({ inputs: [...inputs, inputs[0]] })],
    ["a key on another branch", bodyWith(changedInput({ branch: 2 }))],
    ["a slot that is not at the named time", bodyWith({ ttl: until - slotZero + 1 })],
    [
      "validity of more than a day",
      bodyWith({ ttl: until + 86_400 - slotZero, until: (until + 86_400) * microsPerSecond }),
    ],
    ["no inputs", bodyWith({ inputs: [] })],
    ["a member that it does not know", bodyWith({ certificates: [] })],
    ["an input with a further member", bodyWith(changedInput({ script: "00" }))],
    ["an amount with a sign", bodyWith(changedOutput(0, { units: "+3000000" }))],
    ["more than the supply", bodyWith(changedInput({ units: "45000000000000001" }))],
    ["another version", bodyWith({ version: 2 })],
  ])("refuses %s", (_, body) => {
    expect(() => signer.inspect(body, intent, keys)).toThrow(DraftRefused);
  });

  it("pays its own cold address, merges coins, and signs nothing else", () => {
    const cold: SpendIntent = {
      spendId: "1",
      chain: "ADA",
      feeCeiling: "200000",
      kind: "cold",
      asset: { kind: "coin" },
      units: "3000000",
    };
    const change = { ...outputs[2], units: "6001800000" };
    expect(signer.inspect(bodyWith({ outputs: [outputs[0], change] }), cold, keys).feeUnits).toBe(
      200_000n,
    );
    const { spendId, chain, feeCeiling } = cold;
    const merge: SpendIntent = { spendId, chain, feeCeiling, kind: "consolidation" };
    const merged = bodyWith({ outputs: [{ ...change, units: "6004800000" }] });
    expect(signer.inspect(merged, merge, keys).feeUnits).toBe(200_000n);
    expect(() => signer.inspect(merged, { spendId, chain, feeCeiling, kind: "gap" }, keys)).toThrow(
      DraftRefused,
    );
    expect(() => signer.inspect(bodyWith(), { ...intent, chain: "BTC" }, keys)).toThrow(
      DraftRefused,
    );
  });

  it("reads addresses as the currencies do", () => {
    for (const [, , name, text] of vectors.payable) {
      const of = name === "main" ? network : { ...network, keys: "test" as const, magic: 1 };
      const read = readCardanoAddress(text!, { kind: of.keys, magic: of.magic });
      expect(bytesOfAddress(text!, of)).toEqual(read?.bytes);
      const other = name === "main" ? { ...network, keys: "test" as const, magic: 1 } : network;
      expect(() => bytesOfAddress(text!, other)).toThrow(DraftRefused);
    }
    for (const [, name, text] of vectors.unpaid) {
      const of = name === "main" ? network : { ...network, keys: "test" as const, magic: 1 };
      expect(() => bytesOfAddress(text!, of)).toThrow(DraftRefused);
    }
    const preprod = "FHnt4NL7yPY11rKDHyuao6ZnjsXah2cF6z7qdfA4B1qppRR1rEjviJXrKUxePG9";
    expect(bytesOfAddress(preprod, { ...network, keys: "test", magic: 1 }).length).toBeGreaterThan(
      40,
    );
    expect(() => bytesOfAddress(preprod, { ...network, keys: "test", magic: 2 })).toThrow(
      DraftRefused,
    );
  });

  it("refuses a cold address of another network", () => {
    expect(() =>
      createCardanoDraftSigner({
        chain: "ADA",
        network,
        coldAddress: "addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsz",
        clock: systemClock,
      }),
    ).toThrow(RangeError);
  });
});
