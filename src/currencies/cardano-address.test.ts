import { describe, expect, it } from "vitest";
import vectors from "../../test/vectors/cardano-addresses.json" with { type: "json" };
import { explainCardanoText, readCardanoAddress } from "./cardano-address.ts";

const networks = {
  main: { kind: "main", magic: 764824073 },
  test: { kind: "test", magic: 1 },
} as const;
const networkOf = (name: string) => (name === "main" ? networks.main : networks.test);

describe("addresses of Cardano", () => {
  it.each(vectors.payable)("reads a %s address of a %s (%s): %s", (kind, payment, name, text) => {
    const network = networkOf(name);
    const read = readCardanoAddress(text, network);
    expect([read?.kind, read?.payment, read?.text]).toEqual([kind, payment, text]);
    expect(explainCardanoText(text, network)).toBeNull();
    const other = networkOf(name === "main" ? "test" : "main");
    expect(readCardanoAddress(text, other)).toBeNull();
    expect(explainCardanoText(text, other)).toBe("The address is for another network.");
  });

  it.each(vectors.unpaid)("does not pay to %s (%s): %s", (what, name, text) => {
    const network = networkOf(name);
    expect(readCardanoAddress(text, network)).toBeNull();
    const explanation = explainCardanoText(text, network);
    if (what === "a pointer address") expect(explanation).toContain("Pointer addresses");
    else if (what === "a stake address") expect(explanation).toContain("stake address");
    else expect(explanation).toBeNull();
  });

  it("writes upper case, as QR codes have it, in lower case", () => {
    const text = vectors.payable[4]![3]!;
    expect(readCardanoAddress(text.toUpperCase(), networks.main)?.text).toBe(text);
    const mixed = `${text.slice(0, 20)}${text.slice(20).toUpperCase()}`;
    expect(readCardanoAddress(mixed, networks.main)).toBeNull();
  });

  it("tells the test networks apart where an address names its network", () => {
    // Of preprod (magic 1), by @emurgo/cardano-serialization-lib.
    const preprod = "FHnt4NL7yPY11rKDHyuao6ZnjsXah2cF6z7qdfA4B1qppRR1rEjviJXrKUxePG9";
    expect(readCardanoAddress(preprod, { kind: "test", magic: 1 })?.kind).toBe("byron");
    expect(readCardanoAddress(preprod, { kind: "test", magic: 2 })).toBeNull();
  });
});
