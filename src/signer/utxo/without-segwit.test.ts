import { sha256 } from "@noble/hashes/sha2.js";
import { HDKey } from "@scure/bip32";
import { RawOldTx } from "@scure/btc-signer/script.js";
import * as bitcoinjs from "bitcoinjs-lib";
import { describe, expect, it } from "vitest";
import { signedUtxoNetwork } from "../../../test/support/known-chains.ts";
import recorded from "../../../test/vectors/dash-transactions.json" with { type: "json" };
import type { JsonObject } from "../../platform/kernel/json.ts";
import { DraftRefused, type KeyRing } from "../draft-signer.ts";
import type { SpendIntent } from "../intent.ts";
import { createUtxoDraftSigner } from "./draft-signer.ts";
import { ownScript, scriptOfAddress } from "./own-script.ts";
import type { UtxoNetwork } from "./utxo-network.ts";

const keys: KeyRing = {
  at: (path) => HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive(path),
};

/** Prefixes of two bytes, one type of address, no replacement. */
const network: UtxoNetwork = {
  ...signedUtxoNetwork("BTC", "main"),
  addressTypes: [""],
  segwitPrefix: null,
  publicKeyHashPrefix: "1cb8",
  scriptHashPrefix: "1cbd",
  replacement: false,
};
const signer = createUtxoDraftSigner({ chain: "BTC", network, coldAddress: null });
const own = { addressType: "", branch: 0, keyIndex: 3 } as const;
const payee = "t3Vz22vK5z2LcKEdg16Yv4FFneEL1zg9ojd";

const funding = RawOldTx.encode({
  version: 2,
  inputs: [{ txid: new Uint8Array(32), index: 0, finalScriptSig: new Uint8Array(), sequence: 0 }],
  outputs: [{ amount: 100_000n, script: ownScript(keys, network, own) }],
  lockTime: 0,
});
const txid = bitcoinjs.Transaction.fromBuffer(Buffer.from(funding)).getId();

function draft(
  input: JsonObject = {},
  previous: Readonly<Record<string, string>> = { [txid]: Buffer.from(funding).toString("hex") },
) {
  return {
    version: 1,
    inputs: [{ txid, vout: 0, units: "100000", ...own, ...input }],
    outputs: [{ address: payee, units: "99000", change: null }],
    previous,
  };
}

const intent: SpendIntent = {
  kind: "payout",
  spendId: "1",
  chain: "BTC",
  feeCeiling: "1000",
  payouts: [
    {
      payoutId: "7",
      chain: "BTC",
      address: payee,
      tag: null,
      currency: "1000",
      asset: { kind: "coin" },
      units: "99000",
      approval: "",
    },
  ],
};

describe("the signer of a chain without segwit", () => {
  it("signs with final sequences, since nodes replace nothing", () => {
    expect(signer.inspect(draft(), intent, keys).feeUnits).toBe(1_000n);
    const { raw } = signer.sign(draft(), keys);
    const { ins, outs } = bitcoinjs.Transaction.fromBuffer(Buffer.from(raw));
    expect(ins.map(({ sequence }) => sequence)).toEqual([0xffffffff]);
    expect(Buffer.from(outs[0]!.script).toString("hex")).toMatch(/^a914[0-9a-f]{40}87$/);
  });

  it("requires the transaction behind even a single coin, whose amount no signature covers", () => {
    expect(() => signer.inspect(draft({}, {}), intent, keys)).toThrow(DraftRefused);
    expect(() => signer.inspect(draft({ units: "100001" }), intent, keys)).toThrow(DraftRefused);
  });

  it.each(["legacy", "p2sh-segwit", "bech32", "bech32m"])(
    "refuses a coin of the type %s, which the chain does not have",
    (addressType) => {
      expect(() => signer.inspect(draft({ addressType }), intent, keys)).toThrow(DraftRefused);
    },
  );

  it.each([
    ["another network", "tmEZhbWHTpdKMw5it8YDspUXSMGQyFwovpU"],
    ["Bitcoin, with a prefix of one byte", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"],
    ["segwit", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
    ["a wrong checksum", "t3Vz22vK5z2LcKEdg16Yv4FFneEL1zg9oje"],
    ["nothing", ""],
  ])("refuses an address of %s", (_, address) => {
    expect(() => scriptOfAddress(network, address)).toThrow(DraftRefused);
  });

  it("spends what a transaction with a type and a payload paid, and only its true amount", () => {
    const { hex } = recorded.transactions.find(({ type }) => type === 9)!;
    const script = Buffer.from(ownScript(keys, network, own)).toString("hex");
    const unlock = hex.replace(/90cff405000000002321[0-9a-f]{66}ac/, `a08601000000000019${script}`);
    const id = Buffer.from(sha256(sha256(Buffer.from(unlock, "hex"))))
      .reverse()
      .toString("hex");
    const spending = (units: string, bytes = unlock) => draft({ txid: id, units }, { [id]: bytes });
    const typed = createUtxoDraftSigner({
      chain: "BTC",
      network: { ...network, transactionFormat: "typed" },
      coldAddress: null,
    });
    expect(typed.inspect(spending("100000"), intent, keys).feeUnits).toBe(1_000n);
    expect(() => typed.inspect(spending("100001"), intent, keys)).toThrow(/has 100000 units/);
    // Without its payload it would be another transaction, and without types the bytes are none.
    const cut = unlock.slice(0, -2 * 146);
    expect(() => typed.inspect(spending("100000", cut), intent, keys)).toThrow(DraftRefused);
    expect(() => signer.inspect(spending("100000"), intent, keys)).toThrow(/is not a transaction/);
  });

  it("has no type without a name on chains with several", () => {
    const bitcoin = createUtxoDraftSigner({
      chain: "BTC",
      network: signedUtxoNetwork("BTC", "main"),
      coldAddress: null,
    });
    expect(() => bitcoin.inspect(draft(), intent, keys)).toThrow(/address type/);
  });
});
