import { describe, expect, it } from "vitest";
import vectors from "../../../../test/vectors/monero-crypto.json" with { type: "json" };
import { Point, readPoint, readScalar, toHex } from "./points.ts";
import { derivationOf, oneTimeKey, outputScalar, paidSpendKey } from "./receive.ts";

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));

describe("the keys of an output", () => {
  it.each(vectors.derivations)("share the secret $derivation", ({ derivation, ...given }) => {
    const point = readPoint(bytes(given.publicKey))!;
    expect(toHex(derivationOf(point, readScalar(bytes(given.secret))))).toBe(derivation);
  });

  it.each(vectors.outputKeys)("follow for output $index, and lead back", (given) => {
    const scalar = outputScalar(bytes(given.derivation), given.index);
    expect(toHex(oneTimeKey(Point.fromHex(given.base), scalar))).toBe(given.key);
    expect(toHex(paidSpendKey(Point.fromHex(given.key), scalar))).toBe(given.base);
  });

  it("are no points where monerod finds none", () => {
    for (const hex of vectors.noPoints) expect(readPoint(bytes(hex))).toBeNull();
  });
});
