import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { RawTx } from "@scure/btc-signer";
import { RawOldTx } from "@scure/btc-signer/script.js";
import * as bitcoinjs from "bitcoinjs-lib";
import { describe, expect, it } from "vitest";
import { signedUtxoNetwork } from "../../../test/support/known-chains.ts";
import { fc } from "../../../test/support/property.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { DraftRefused, type KeyRing } from "../draft-signer.ts";
import type { ApprovedPayout, SpendIntent } from "../intent.ts";
import { createUtxoDraftSigner } from "./draft-signer.ts";
import { ownScript, scriptOfAddress } from "./own-script.ts";
import type { OwnKey } from "./read-draft.ts";
import type { AddressType } from "./utxo-network.ts";

/*
 * Each part of a valid draft is altered alone. The words are those of BIP-49, BIP-84 and BIP-86, whose addresses show the key
 * paths; the daemons check the signatures in test/nodes/utxo-payouts.test.ts.
 */

const seed = mnemonicToSeedSync(
  "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
);
const keys: KeyRing = { at: (path) => HDKey.fromMasterSeed(seed).derive(path) };
const network = signedUtxoNetwork("BTC", "main");
const cold = "bc1qr583w2swedy2acd7rung055k8t3n7udp7vyzyg";
const signer = createUtxoDraftSigner({ chain: "BTC", network, coldAddress: cold });

/** Addresses from BIP-143 and BIP-350; not ours. */
const payee = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const taprootPayee = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0";
const legacyPayee = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

function own(addressType: AddressType, branch: 0 | 1, keyIndex: number): OwnKey {
  return { addressType, branch, keyIndex };
}

function scriptOf(key: OwnKey): Uint8Array {
  return ownScript(keys, network, key);
}

/** The transaction that made a coin of ours, and the input that spends it. */
function coin(
  key: OwnKey,
  units: bigint,
  salt: number,
): { readonly input: JsonObject; readonly txid: string; readonly hex: string } {
  const bytes = RawOldTx.encode({
    version: 2,
    inputs: [
      {
        txid: new Uint8Array(32).fill(salt),
        index: salt,
        finalScriptSig: new Uint8Array(0),
        sequence: 0,
      },
    ],
    outputs: [
      { amount: 777n, script: new Uint8Array([0x51]) },
      { amount: units, script: scriptOf(key) },
    ],
    lockTime: 0,
  });
  const txid = bitcoinjs.Transaction.fromBuffer(Buffer.from(bytes)).getId();
  const input = { txid, vout: 1, units: units.toString(), ...key };
  return { input, txid, hex: Buffer.from(bytes).toString("hex") };
}

const changeAddress = bitcoinjs.address.fromOutputScript(scriptOf(own("bech32", 1, 5)));
const legacyCoin = coin(own("legacy", 0, 1), 100_000n, 1);
const bech32Coin = coin(own("bech32", 0, 2), 200_000n, 2);
const taprootCoin = coin(own("bech32m", 1, 3), 300_000n, 3);

/** Pays 150,000 to the payee, 149,000 in change and 1,000 in fees, from a legacy and a segwit coin, both proven. */
const sound: JsonObject = {
  version: 1,
  inputs: [legacyCoin.input, bech32Coin.input],
  outputs: [
    {
      address: changeAddress,
      units: "149000",
      change: { addressType: "bech32", keyIndex: 5 },
    },
    { address: payee, units: "150000", change: null },
  ],
  previous: { [legacyCoin.txid]: legacyCoin.hex, [bech32Coin.txid]: bech32Coin.hex },
};

function payout(
  address: string,
  units: bigint,
  more: Partial<ApprovedPayout> = {},
): ApprovedPayout {
  return {
    payoutId: "7",
    chain: "BTC",
    address,
    tag: null,
    currency: "1000",
    asset: { kind: "coin" },
    units: units.toString(),
    approval: "",
    ...more,
  };
}

const common = { spendId: "1", chain: "BTC", feeCeiling: "1000" };

function paying(...payouts: readonly ApprovedPayout[]): SpendIntent {
  return { ...common, kind: "payout", payouts };
}

const intent = paying(payout(payee, 150_000n));

/** The valid draft with the member at `path` replaced. */
function altered(path: readonly (string | number)[], value: JsonValue | undefined): JsonObject {
  const copy = structuredClone(sound) as Record<string, unknown>;
  let at: Record<string | number, unknown> = copy;
  for (const step of path.slice(0, -1)) at = at[step] as Record<string | number, unknown>;
  const last = path.at(-1)!;
  if (value === undefined) Reflect.deleteProperty(at, last);
  else at[last] = value;
  return copy as JsonObject;
}

function refusal(body: JsonObject, requested: SpendIntent = intent): string {
  try {
    signer.inspect(body, requested, keys);
  } catch (error) {
    if (error instanceof DraftRefused) return error.message;
    throw error;
  }
  return "accepted";
}

describe("a valid draft", () => {
  it("is decoded exactly", () => {
    expect(signer.inspect(sound, intent, keys)).toEqual({
      claims: [`${legacyCoin.txid}:1`, `${bech32Coin.txid}:1`],
      feeUnits: 1_000n,
    });
  });

  it("is signed as it is, each input with its own key, with the same result each time", () => {
    const { raw, txid } = signer.sign(sound, keys);
    expect(signer.sign(sound, keys)).toEqual({ raw, txid });
    const transaction = bitcoinjs.Transaction.fromBuffer(Buffer.from(raw));
    expect(transaction.getId()).toBe(txid);
    expect([transaction.version, transaction.locktime]).toEqual([2, 0]);
    expect(transaction.ins.map(({ sequence }) => sequence)).toEqual([0xfffffffd, 0xfffffffd]);
    expect(
      transaction.outs.map(({ script, value }) => [
        bitcoinjs.address.fromOutputScript(script),
        value,
      ]),
    ).toEqual([
      [changeAddress, 149_000n],
      [payee, 150_000n],
    ]);
    // Another library's digest for each; both sign the whole transaction.
    const [legacy, segwit] = transaction.ins;
    const pushes = bitcoinjs.script.decompile(legacy!.script)!;
    const legacyDigest = transaction.hashForSignature(0, scriptOf(own("legacy", 0, 1)), 1);
    expect(verifies(pushes[0] as Uint8Array, legacyDigest, own("legacy", 0, 1))).toBe(true);
    const code = bitcoinjs.payments.p2pkh({
      hash: scriptOf(own("bech32", 0, 2)).subarray(2),
    }).output!;
    const segwitDigest = transaction.hashForWitnessV0(1, code, 200_000n, 1);
    expect(verifies(segwit!.witness[0]!, segwitDigest, own("bech32", 0, 2))).toBe(true);
  });

  it("leaves no private key behind", () => {
    const lent: HDKey[] = [];
    const counting: KeyRing = {
      at: (path) => {
        const key = keys.at(path);
        lent.push(key);
        return key;
      },
    };
    signer.inspect(sound, intent, counting);
    signer.sign(sound, counting);
    expect(lent.length).toBeGreaterThan(2);
    expect(lent.filter(({ privateKey }) => privateKey !== null)).toEqual([]);
  });

  it("may pay one address twice if that is intended", () => {
    const outputs = [
      { address: payee, units: "150000", change: null },
      { address: payee, units: "150000", change: null },
    ];
    const body = { ...sound, outputs };
    const twice = { ...paying(payout(payee, 150_000n), payout(payee, 150_000n)) };
    expect(refusal(body, twice)).toBe("accepted");
    expect(refusal(body, intent)).toMatch(/which is not intended/);
  });
});

describe("payments", () => {
  it.each([
    ["another address", ["outputs", 1, "address"], taprootPayee, /which is not intended/],
    ["another amount", ["outputs", 1, "units"], "149999", /which is not intended/],
    ["more change than the inputs cover", ["outputs", 0, "units"], "150001", /outputs exceed/],
    ["a fee above the ceiling", ["outputs", 0, "units"], "148999", /burns 1001, above 1000/],
    ["change to a foreign address", ["outputs", 0, "address"], payee, /not the change address/],
    [
      "change with another key index",
      ["outputs", 0, "change", "keyIndex"],
      6,
      /not the change address/,
    ],
    [
      "change of another address type",
      ["outputs", 0, "change", "addressType"],
      "p2sh-segwit",
      /not the change address/,
    ],
    ["change declared as a payment", ["outputs", 0, "change"], null, /which is not intended/],
    [
      "a payment declared as change",
      ["outputs", 1, "change"],
      { addressType: "bech32", keyIndex: 5 },
      /not the change address/,
    ],
    [
      "an address of another network",
      ["outputs", 1, "address"],
      "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
      /is not an address of this network/,
    ],
    [
      "an address with a wrong character",
      ["outputs", 1, "address"],
      `${payee.slice(0, -1)}5`,
      /not an address/,
    ],
  ] as const)("refuses %s", (_, path, value, reason) => {
    expect(refusal(altered(path, value as JsonValue))).toMatch(reason);
  });

  it("refuses a deposit address of ours as change address", () => {
    const deposit = bitcoinjs.address.fromOutputScript(scriptOf(own("bech32", 0, 5)));
    expect(refusal(altered(["outputs", 0, "address"], deposit))).toMatch(/not the change address/);
  });

  it("refuses additional, missing and invented outputs", () => {
    const outputs = sound["outputs"] as readonly JsonObject[];
    const further = { address: legacyPayee, units: "600", change: null };
    expect(refusal({ ...sound, outputs: [...outputs, further] })).toMatch(/which is not intended/);
    expect(
      refusal({ ...sound, outputs: outputs.slice(0, 1) }, { ...intent, feeCeiling: "999999" }),
    ).toMatch(/leaves out 1/);
    const two = paying(payout(payee, 150_000n), payout(legacyPayee, 1_000n));
    expect(refusal(sound, two)).toMatch(/leaves out 1/);
    expect(refusal(sound, paying())).toMatch(/no payout/);
  });

  it.each([
    ["a tag", { tag: "7" }, /without tags/],
    ["a token", { asset: { kind: "token", locator: "0x00" } }, /only the coin/],
    ["a malformed amount", { units: "1e5" }, /not an integer/],
  ] as const)("refuses a payout with %s", (_, more, reason) => {
    expect(refusal(sound, paying(payout(payee, 150_000n, more)))).toMatch(reason);
  });

  it("refuses another chain, another kind of spend and a malformed ceiling", () => {
    expect(refusal(sound, { ...intent, chain: "LTC" })).toMatch(/for BTC/);
    expect(refusal(sound, { ...intent, feeCeiling: "-1" })).toMatch(/not an integer/);
    for (const kind of ["gap", "sweep", "top_up", "delegate", "undelegate"] as const)
      expect(refusal(sound, { ...common, kind } as unknown as SpendIntent)).toMatch(
        /chain of coins/,
      );
  });
});

describe("change in several parts", () => {
  const further = bitcoinjs.address.fromOutputScript(scriptOf(own("bech32", 1, 6)));
  const parts = (second: JsonObject): JsonObject => ({
    ...sound,
    outputs: [
      {
        address: changeAddress,
        units: "100000",
        change: { addressType: "bech32", keyIndex: 5 },
      },
      { address: payee, units: "150000", change: null },
      second,
    ],
  });

  it("is signed if each part goes to a change address of ours, and refused otherwise", () => {
    const change = { addressType: "bech32", keyIndex: 6 };
    expect(refusal(parts({ address: further, units: "49000", change }))).toBe("accepted");
    expect(refusal(parts({ address: payee, units: "49000", change }))).toMatch(
      /not the change address/,
    );
    const deposit = bitcoinjs.address.fromOutputScript(scriptOf(own("bech32", 0, 6)));
    expect(refusal(parts({ address: deposit, units: "49000", change }))).toMatch(
      /not the change address/,
    );
    expect(refusal(parts({ address: further, units: "49000", change: null }))).toMatch(
      /which is not intended/,
    );
  });
});

describe("our own money", () => {
  const toUs = {
    ...sound,
    outputs: [
      { address: changeAddress, units: "299000", change: { addressType: "bech32", keyIndex: 5 } },
    ],
  };

  it("is consolidated into our own change addresses only", () => {
    const consolidation: SpendIntent = { ...common, kind: "consolidation" };
    expect(refusal(toUs, consolidation)).toBe("accepted");
    expect(refusal(sound, consolidation)).toMatch(/which is not intended/);
  });

  it("is sent to the cold address of the signer's own configuration only", () => {
    const away: SpendIntent = { ...common, kind: "cold", asset: { kind: "coin" }, units: "150000" };
    expect(refusal(altered(["outputs", 1, "address"], cold), away)).toBe("accepted");
    expect(refusal(sound, away)).toMatch(/which is not intended/);
    expect(refusal(toUs, away)).toMatch(/leaves out 1/);
    const without = createUtxoDraftSigner({ chain: "BTC", network, coldAddress: null });
    expect(() => without.inspect(sound, away, keys)).toThrow(/no cold address/);
    const token = { ...away, asset: { kind: "token" as const, locator: "0x00" } };
    expect(refusal(sound, token)).toMatch(/only the coin/);
  });

  it("rejects a cold address of another network", () => {
    for (const coldAddress of ["tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "nonsense", ""])
      expect(() => createUtxoDraftSigner({ chain: "BTC", network, coldAddress })).toThrow(
        RangeError,
      );
  });
});

describe("the amounts of inputs", () => {
  const spendAll = (inputs: readonly JsonObject[], previous: JsonObject, change: string) => ({
    ...sound,
    inputs,
    previous,
    outputs: [
      { address: payee, units: "150000", change: null },
      { address: changeAddress, units: change, change: { addressType: "bech32", keyIndex: 5 } },
    ],
  });

  it("must be proven for a legacy coin and for a segwit one among others, but not for a single one", () => {
    expect(refusal(altered(["previous"], {}))).toMatch(/does not show/);
    expect(refusal(altered(["previous", bech32Coin.txid], undefined))).toMatch(/does not show/);
    expect(refusal(altered(["previous", legacyCoin.txid], undefined))).toMatch(/does not show/);
    expect(refusal(spendAll([bech32Coin.input], {}, "49000"))).toBe("accepted");
    const bigLegacy = coin(own("legacy", 0, 9), 200_000n, 9);
    expect(refusal(spendAll([bigLegacy.input], {}, "49000"))).toMatch(/does not show/);
  });

  it("need no proof if all coins are taproot, whose signatures cover all of them", () => {
    const other = coin(own("bech32m", 0, 4), 100_000n, 4);
    const body = spendAll([taprootCoin.input, other.input], {}, "249000");
    expect(refusal(body)).toBe("accepted");
    const witnessOf = (units: string): Uint8Array => {
      const inputs = [taprootCoin.input, { ...other.input, units }];
      return RawTx.decode(signer.sign({ ...body, inputs }, keys).raw).witnesses![0]![0]!;
    };
    expect(witnessOf("100000")).not.toEqual(witnessOf("100001"));
  });

  it("must be proven for every coin if only some are taproot", () => {
    const inputs = [bech32Coin.input, taprootCoin.input];
    const proofs = { [bech32Coin.txid]: bech32Coin.hex, [taprootCoin.txid]: taprootCoin.hex };
    expect(refusal(spendAll(inputs, proofs, "349000"))).toBe("accepted");
    for (const { txid, hex } of [bech32Coin, taprootCoin])
      expect(refusal(spendAll(inputs, { [txid]: hex }, "349000"))).toMatch(/does not show/);
  });

  /**
   * Both coins are segwit. Each request calls one of them taproot and states what is left for it. Of either, only the other
   * coin's signature is valid, and together they make one transaction that burns 190,000, with a fee of zero stated twice.
   */
  it("must be proven if a coin only pretends to be taproot, so that no two signatures fit together", () => {
    const second = coin(own("bech32", 0, 6), 200_000n, 6);
    const pretended = (input: JsonObject): JsonObject => ({
      ...input,
      addressType: "bech32m",
      units: "10000",
    });
    const first = spendAll([bech32Coin.input, pretended(second.input)], {}, "60000");
    const swapped = spendAll([pretended(bech32Coin.input), second.input], {}, "60000");
    for (const body of [first, swapped]) {
      expect(refusal(body, { ...intent, feeCeiling: "0" })).toMatch(/does not show/);
      expect(() => signer.sign(body, keys)).toThrow(/does not show/);
    }
  });

  it.each([
    ["another amount", ["inputs", 0, "units"], "99999", /has 100000 units, not 99999/],
    ["another key", ["inputs", 0, "keyIndex"], 2, /does not belong to the key/],
    ["another branch", ["inputs", 0, "branch"], 1, /does not belong to the key/],
    [
      "another type of address",
      ["inputs", 0, "addressType"],
      "bech32",
      /does not belong to the key/,
    ],
    ["another output", ["inputs", 0, "vout"], 0, /has 777/],
    ["a missing output", ["inputs", 0, "vout"], 2, /does not show/],
    ["another transaction", ["inputs", 0, "txid"], "ab".repeat(32), /does not show/],
  ] as const)("refuses %s than the proof shows", (_, path, value, reason) => {
    expect(refusal(altered(path, value))).toMatch(reason);
  });

  it("refuses another transaction under the id, and one with an additional byte", () => {
    const { txid } = legacyCoin;
    expect(refusal(altered(["previous", txid], bech32Coin.hex))).toMatch(/is shown|shown as/);
    expect(refusal(altered(["previous", txid], `${legacyCoin.hex}00`))).toMatch(/shown as/);
    expect(() => signer.sign(altered(["inputs", 0, "units"], "99999"), keys)).toThrow(DraftRefused);
  });

  it("yields a worthless signature for a wrong amount of the only segwit input", () => {
    const body = spendAll([bech32Coin.input], {}, "49000");
    const lie = spendAll([{ ...bech32Coin.input, units: "200001" }], {}, "49000");
    expect(signer.sign(body, keys).raw).not.toEqual(signer.sign(lie, keys).raw);
    expect(signer.sign(body, keys).txid).toBe(signer.sign(lie, keys).txid);
  });
});

describe("a malformed draft", () => {
  it.each([
    ["another version", ["version"], 2],
    ["no version", ["version"], undefined],
    ["an unknown member", ["lockTime"], 5],
    ["no inputs", ["inputs"], []],
    ["no outputs", ["outputs"], []],
    ["no previous transactions", ["previous"], null],
    ["a list of previous transactions", ["previous"], []],
    ["a malformed input", ["inputs", 0], "x"],
    ["an additional member of an input", ["inputs", 0, "sighash"], 2],
    ["an unknown branch", ["inputs", 0, "branch"], 2],
    ["a hardened key index", ["inputs", 0, "keyIndex"], 2 ** 31],
    ["a fractional key index", ["inputs", 0, "keyIndex"], 1.5],
    ["a negative output index", ["inputs", 0, "vout"], -1],
    ["an upper-case id", ["inputs", 0, "txid"], legacyCoin.txid.toUpperCase()],
    ["an amount as a number", ["inputs", 0, "units"], 100000],
    ["an amount of zero", ["outputs", 1, "units"], "0"],
    ["a negative amount", ["outputs", 1, "units"], "-150000"],
    ["an amount above the supply", ["outputs", 1, "units"], "2100000000000001"],
    ["an unknown address type", ["inputs", 0, "addressType"], "constructor"],
    ["a path instead of a key index", ["outputs", 0, "change", "keyIndex"], "5'/0"],
    ["half a byte of a transaction", ["previous", legacyCoin.txid], `${legacyCoin.hex}0`],
  ] as const)("is refused for %s", (_, path, value) => {
    expect(refusal(altered(path, value as JsonValue | undefined))).not.toBe("accepted");
  });

  it("is refused if it spends a coin twice", () => {
    const inputs = [legacyCoin.input, legacyCoin.input, bech32Coin.input];
    expect(refusal({ ...sound, inputs })).toMatch(/spent twice/);
  });

  it("is refused, or stays the same, when any value in it is replaced", () => {
    const places = pathsOf(sound);
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.jsonValue(), (path, value) => {
        const body = altered(path, value as JsonValue);
        const isSame = JSON.stringify(body) === JSON.stringify(sound);
        // Only the same value, or an additional proof that no input needs, is accepted.
        if (!isSame && path[0] !== "previous") expect(refusal(body)).not.toBe("accepted");
      }),
      { numRuns: 500 },
    );
  });
});

describe("keys and addresses", () => {
  /** The first receiving and change addresses that the BIPs name for these words. */
  it.each([
    ["legacy", 0, "1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA"],
    ["p2sh-segwit", 0, "37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf"],
    ["bech32", 0, "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"],
    ["bech32", 1, "bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el"],
    ["bech32m", 0, "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"],
    ["bech32m", 1, "bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7"],
  ] as const)("match the BIP for %s, branch %i: %s", (addressType, branch, address) => {
    expect(scriptOf(own(addressType, branch, 0))).toEqual(scriptOfAddress(network, address));
  });

  it("differ between the main network and test networks", () => {
    const test = signedUtxoNetwork("BTC", "test");
    const key = own("bech32", 0, 0);
    expect(ownScript(keys, test, key)).not.toEqual(scriptOf(key));
    expect(ownScript(keys, signedUtxoNetwork("LTC", "main"), key)).not.toEqual(scriptOf(key));
  });

  it("are read on their own network only, except base58 addresses of test networks", () => {
    expect(() => scriptOfAddress(signedUtxoNetwork("LTC", "main"), payee)).toThrow(DraftRefused);
    expect(() => scriptOfAddress(signedUtxoNetwork("BTC", "regtest"), payee)).toThrow(DraftRefused);
    expect(() => scriptOfAddress(signedUtxoNetwork("LTC", "main"), legacyPayee)).toThrow(
      DraftRefused,
    );
  });
});

function verifies(signature: Uint8Array, digest: Uint8Array, key: OwnKey): boolean {
  const { hashType, signature: compact } = bitcoinjs.script.signature.decode(signature);
  const path = `m/${key.addressType === "legacy" ? 44 : 84}'/0'/0'/${key.branch}/${key.keyIndex}`;
  return hashType === 1 && keys.at(path).verify(digest, compact);
}

/** The paths of all members and items. */
function pathsOf(value: JsonValue, at: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [[...at]];
  const inner: readonly (readonly [string | number, JsonValue])[] = Array.isArray(value)
    ? (value as readonly JsonValue[]).map((item, index) => [index, item] as const)
    : Object.entries(value as JsonObject);
  const below = inner.flatMap(([name, item]) => pathsOf(item, [...at, name]));
  return at.length === 0 ? below : [[...at], ...below];
}
