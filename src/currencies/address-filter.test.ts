import { describe, expect, it } from "vitest";
import { present } from "../platform/kernel/assert.ts";
import { addressFilter } from "./address-filter.ts";

const spelled = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const bitcoin = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

describe("addressFilter", () => {
  it.each([
    ["as it is kept", spelled, spelled],
    ["in lower case", spelled.toLowerCase(), spelled],
    ["in capitals", `0x${spelled.slice(2).toUpperCase()}`, spelled],
    ["with a digit too few: no EVM address", `0x${"a".repeat(39)}`, `0x${"a".repeat(39)}`],
    ["of another chain, where the case matters", bitcoin, bitcoin],
  ])("matches an address %s", (_how, given, sought) => {
    const bound: unknown[] = [];
    const filter = addressFilter("p.address");
    const predicate = filter.kind === "custom" ? filter.predicate : null;
    const sql = present(predicate, "its predicate")((value) => `$${bound.push(value)}`, given, []);
    expect([sql, bound]).toEqual(["p.address = $1", [sought]]);
  });
});
