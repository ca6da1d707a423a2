import { describe, expect, it } from "vitest";
import { utxoChain } from "../../../test/support/known-chains.ts";
import vectors from "../../../test/vectors/zcash-addresses.json" with { type: "json" };
import { createUtxoPayeeAddressing } from "./payee-addressing.ts";

/* Addresses of other networks, pools and spellings: each is refused with what is known about it. */

const zcash = createUtxoPayeeAddressing(utxoChain("ZEC"), "main");
const cash = createUtxoPayeeAddressing(utxoChain("BCH"), "main");
const cashOnRegtest = createUtxoPayeeAddressing(utxoChain("BCH"), "regtest");
const bitcoin = createUtxoPayeeAddressing(utxoChain("BTC"), "main");
const litecoin = createUtxoPayeeAddressing(utxoChain("LTC"), "main");

const onRegtest = "bchreg:qr7fzmep8g7h7ymfxy74lgc0v950j3r295m39d8z59";
const { transparentSource, unified } = vectors;

describe("an address of Zcash that asks for transparent coins (ZIP-320)", () => {
  it.each(transparentSource)("pays the same as %s", (address = "", hash = "", source = "") => {
    for (const spelling of [source, source.toUpperCase()]) {
      const meant = zcash.parse(spelling, null);
      expect(meant).toEqual(zcash.parse(address, null));
      expect(meant?.address).toBe(address);
    }
    expect(zcash.watchKey({ address: source, addressType: null, tag: null })).toBe(
      `76a914${hash}88ac`,
    );
    const masks = zcash.types.flatMap((type) => type.masks);
    expect(masks.some((mask) => new RegExp(mask).test(source))).toBe(true);
  });

  it("is refused with a wrong letter, in mixed case and on another network", () => {
    const [, , source = ""] = transparentSource[0] ?? [];
    expect(zcash.parse(source.replace("wur2", "wur3"), null)).toBeNull();
    expect(zcash.parse(source.replace("tex1", "TEX1"), null)).toBeNull();
    const onTest = createUtxoPayeeAddressing(utxoChain("ZEC"), "test");
    expect(onTest.parse(source, null)).toBeNull();
    expect(onTest.explain?.(source)).toBe(
      "This is an address of the main network, and payments here are made on the test network.",
    );
  });
});

describe("an explanation", () => {
  const unifiedRefusal =
    "Unified addresses are not paid, since their owners expect shielded payments: give a transparent address (t1, t3 or tex).";
  const shieldedRefusal =
    "Shielded addresses are not paid: give a transparent address (t1, t3 or tex).";

  it.each([...unified.withTransparent, ...unified.withoutTransparent, ...unified.revision2])(
    "names a unified address of Zcash, with or without a transparent receiver: %s",
    (address) => {
      expect(zcash.parse(address, null)).toBeNull();
      expect(zcash.explain?.(address)).toBe(unifiedRefusal);
    },
  );

  it.each([
    // ZIP-321's example.
    "ztestsapling10yy2ex5dcqkclhc7z7yrnjq2z6feyjad56ptwlfgmy77dmaqqrl9gyhprdx59qgmsnyfska2kez",
    "zs1z7rejlpsa98s2rrrfkwmaxu53e4ue0ulcrw0h4x5g8jl04tak0d3mm47vdtahatqrlkngh9sly",
    "zcWsmqT4X2V4jgxbgiCzyrAfRT1vi1F4sn7M5Pkh66izzw8Uk7LBGAH3DtcSMJeUb2pi3W4SQF8LMKkU2cUuVP68yAGcomL",
  ])("names a shielded address of Zcash: %s", (address) => {
    expect(zcash.parse(address, null)).toBeNull();
    expect(zcash.explain?.(address)).toBe(shieldedRefusal);
  });

  it.each([
    [
      `bitcoincash:${onRegtest}`,
      "The address has more than one prefix: bitcoincash: comes once, or not at all.",
    ],
    [
      "bitcoincash:bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
      "The address has more than one prefix: bitcoincash: comes once, or not at all.",
    ],
    [
      "bitcoincash:Qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
      "The address mixes upper and lower case, which addresses of this form never do.",
    ],
    [
      "BITCOINCASH:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
      "The address mixes upper and lower case, which addresses of this form never do.",
    ],
    [
      "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdX6a",
      "The address mixes upper and lower case, which addresses of this form never do.",
    ],
    [
      onRegtest,
      "This is an address of a private test network, and payments here are made on the main network.",
    ],
    [
      "ecash:qpm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq",
      "The prefix of the address is not bitcoincash: but that of another network or chain.",
    ],
    ["bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6q", null],
    ["nonsense", null],
  ])("says what is wrong with %s", (address, refusal) => {
    expect(cash.parse(address, null)).toBeNull();
    expect(cash.explain?.(address)).toBe(refusal);
  });

  it("names the doubled prefix of a private network, too", () => {
    expect(cashOnRegtest.parse(`bitcoincash:${onRegtest}`, null)).toBeNull();
    expect(cashOnRegtest.explain?.(`bitcoincash:${onRegtest}`)).toBe(
      "The address has more than one prefix: bchreg: comes once, or not at all.",
    );
  });

  it("names another network and a form that is not paid on other chains", () => {
    expect(bitcoin.explain?.("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx")).toBe(
      "This is an address of the test network, and payments here are made on the main network.",
    );
    expect(bitcoin.explain?.("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5")).toBeNull();
    expect(
      litecoin.explain?.(
        "ltcmweb1qq0aq9agdqwjkqcxzwqjwj9xw4c3rl2yc4flvdp0zhl0kvcdl3vd2q5n2v6q9mw3fh8e2z0vv6hwx4l5prx5ymx4wykqhvmzznpjcazmzrgc4yyvqg",
      ),
    ).toMatch(/MimbleWimble extension block/);
  });
});
