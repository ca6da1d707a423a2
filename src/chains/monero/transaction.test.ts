/**
 * Transactions that are not like others. Version 1, which nodes still take for outputs that are too rare for a ring, by bytes of the main
 * network; rewards, by those of a private chain.
 */
import { describe, expect, it } from "vitest";
import { buildFirstVersion } from "../../../test/support/monero-builder.ts";
import addresses from "../../../test/vectors/monero-addresses.json" with { type: "json" };
import recorded from "../../../test/vectors/monero-first-version.json" with { type: "json" };
import { Malformed } from "../rpc/answer.ts";
import { readFirstVersion, readTransaction } from "./transaction.ts";

const foreign = addresses.valid[1]!.address;

describe("a transaction of version 1", () => {
  it.each(recorded.transactions)("has its id, key images and fee: $txid", (known) => {
    const bytes = Buffer.from(known.hex, "hex");
    const { feeUnits, origin, outputs, txid } = readFirstVersion(bytes);
    expect([txid, feeUnits]).toEqual([known.txid, BigInt(known.feeUnits)]);
    expect(origin).toEqual({ kind: "outputs", keyImages: known.keyImages });
    expect(outputs.every(({ amount }) => amount.kind === "public")).toBe(true);
  });

  it.each(recorded.transactions)("is refused with a byte more or less: $txid", ({ hex }) => {
    for (const altered of [hex.slice(2), hex.slice(0, -2), `${hex}00`])
      expect(() => readFirstVersion(Buffer.from(altered, "hex"))).toThrow(Malformed);
    expect(() => readTransaction(Buffer.from(hex, "hex"), null)).toThrow(/unknown version 1/);
  });

  it("is refused if it pays more than it spends, or spends nothing", () => {
    const outputs = [{ address: foreign, units: 5n }];
    const bytesOf = (feeUnits: bigint): Buffer => {
      const { prunableHex, prunedHex } = buildFirstVersion({ secret: 7n, outputs, feeUnits });
      return Buffer.from(prunedHex + prunableHex, "hex");
    };
    expect(readFirstVersion(bytesOf(0n)).feeUnits).toBe(0n);
    expect(() => readFirstVersion(bytesOf(-1n))).toThrow(/pays more/);
    // Version, no lock, no inputs, no outputs, an empty extra field.
    expect(() => readFirstVersion(Uint8Array.of(1, 0, 0, 0, 0))).toThrow(/no rings/);
  });
});

describe("a reward", () => {
  /** As monerod 0.18.5 answers `/get_transactions`: the hash of what was pruned is that of no bytes. */
  const known = {
    txid: "38165755eb04fab5467df907807ae0bc930283603f7d04a158305159cbbe106e",
    pruned:
      "02a00101ff640199a4a690e7ff07034d480f553c8f819b647e99031dc8b13ba8c8b563839cc5e7d596146f1201f18baf2401a59f28fe6db3c6131022993f5b3d4039187a2f46d3bb47c1c2f4f7b68b43c85702010000",
    prunableHash: "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
  };

  it("has its id, whatever a node says about the signatures that it has none of", () => {
    for (const prunableHash of [Buffer.from(known.prunableHash, "hex"), null]) {
      const { origin, txid } = readTransaction(Buffer.from(known.pruned, "hex"), prunableHash);
      expect(txid).toBe(known.txid);
      expect(origin).toEqual({ kind: "reward", height: 100 });
    }
  });
});
