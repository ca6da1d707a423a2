import { describe, expect, it } from "vitest";
import { present } from "../platform/kernel/assert.ts";
import { addressFilter, type ReadAddresses } from "./address-filter.ts";

const spelled = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const bitcoin = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

/** `x5` is the account `r` with tag 5, `r` the account, and `q` the other spelling of an address `p`. */
const readAddresses: ReadAddresses = (text) => {
  if (text === "x5") return [{ address: "r", tag: "5" }];
  if (text === "q") return [{ address: "p", tag: null }];
  return text === "r" ? [{ address: "r", tag: null }] : [];
};

function sqlFor(text: string): readonly [string | null, readonly unknown[]] {
  const bound: unknown[] = [];
  const filter = addressFilter({ address: "p.address", tag: "p.tag" }, readAddresses);
  const predicate = present(filter.kind === "custom" ? filter.predicate : null, "its predicate");
  return [predicate((value) => `$${bound.push(value)}`, text, []), bound];
}

/** The part that the index serves. */
const indexed = "p.address is not null and lower(p.address) = any($1::text[])";

describe("addressFilter", () => {
  it.each([
    ["as it is kept", spelled, [spelled]],
    ["in lower case", spelled.toLowerCase(), [spelled.toLowerCase(), spelled]],
    [
      "in capitals",
      `0x${spelled.slice(2).toUpperCase()}`,
      [`0x${spelled.slice(2).toUpperCase()}`, spelled],
    ],
    ["with a digit too few: no EVM address", `0x${"a".repeat(39)}`, [`0x${"a".repeat(39)}`]],
    ["of another chain, where the case matters", bitcoin, [bitcoin]],
    ["in another format", "q", ["q", "p"]],
    ["of an account, with every tag", "r", ["r"]],
  ])("matches an address %s", (_how, given, sought) => {
    const lower = [...new Set(sought.map((address) => address.toLowerCase()))];
    expect(sqlFor(given)).toEqual([`${indexed} and p.address = any($2::text[])`, [lower, sought]]);
  });

  it("matches an address that contains a tag with that tag only", () => {
    expect(sqlFor("x5")).toEqual([
      `${indexed} and (p.address = any($2::text[]) or (p.address, p.tag) in (select * from unnest($4::text[], $3::text[])))`,
      [["x5", "r"], ["x5"], ["5"], ["r"]],
    ]);
  });
});
