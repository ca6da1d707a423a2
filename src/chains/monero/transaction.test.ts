/** Transactions of version 1, which nodes still take for outputs that are too rare for a ring: bytes of the main network. */
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
