import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { describe, expect, it } from "vitest";
import { bitcoin, litecoin } from "../../../test/support/known-chains.ts";
import { fc } from "../../../test/support/property.ts";
import type { AddressTypeName, UtxoNetworkName } from "../../currencies/utxo-facts.ts";
import { accountPath } from "./account-key.ts";
import { type AccountKeys, createAddressing } from "./addressing.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/*
 * Addresses compared with the BIPs' own vectors, and the two derivations with each other. The mnemonic is the one that BIP49,
 * BIP84 and BIP86 use.
 */

const root = HDKey.fromMasterSeed(
  mnemonicToSeedSync(
    "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
  ),
);
const typeNames: readonly AddressTypeName[] = ["legacy", "p2sh-segwit", "bech32", "bech32m"];
const testVersions = { public: 0x043587cf, private: 0x04358394 };

function accountKeys(chain: UtxoChain, network: UtxoNetworkName): AccountKeys {
  return Object.fromEntries(
    typeNames.map((name) => [
      name,
      root.derive(accountPath(chain, network, name)).publicExtendedKey,
    ]),
  );
}

const all = [bitcoin, litecoin].flatMap((chain) =>
  (["main", "test", "regtest"] as const).map((network) => ({
    chain,
    network,
    name: `${chain.chain} ${network}`,
    addressing: createAddressing(chain, network, accountKeys(chain, network)),
  })),
);
const onBitcoin = all[0]!.addressing;
const onLitecoin = all[3]!.addressing;

describe("derivation", () => {
  it.each([
    ["BIP44, as common wallets show it", "legacy", 0, "1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA"],
    ["BIP49's tree on the main network", "p2sh-segwit", 0, "37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf"],
    ["BIP84", "bech32", 0, "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"],
    ["BIP84, second", "bech32", 1, "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g"],
    ["BIP86", "bech32m", 0, "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"],
    [
      "BIP86, second",
      "bech32m",
      1,
      "bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh",
    ],
  ])("derives the addresses of %s", (_, type, index, address) => {
    expect(onBitcoin.depositAt(index, type)).toEqual({ address, addressType: type, tag: null });
    expect(onBitcoin.rederiveDepositAt(index, type).address).toBe(address);
  });

  it("derives BIP49's test vector (a test network's account key)", () => {
    const key = HDKey.fromMasterSeed(
      mnemonicToSeedSync(
        "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
      ),
      testVersions,
    ).derive("m/49'/1'/0'").publicExtendedKey;
    const addressing = createAddressing(bitcoin, "test", { "p2sh-segwit": key });
    expect(addressing.depositAt(0, null).address).toBe("2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2");
  });

  it.each(all)("$name: both libraries derive the same address, and it parses", ({ addressing }) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 31 - 1 }),
        fc.constantFrom(...typeNames),
        (index, type) => {
          const destination = addressing.depositAt(index, type);
          expect(addressing.rederiveDepositAt(index, type)).toEqual(destination);
          expect(addressing.parse(destination.address, null)).toEqual(destination);
          const masks = addressing.types.find(({ name }) => name === type)!.masks;
          expect(masks.some((mask) => new RegExp(mask).test(destination.address))).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });

  it("derives different addresses for different indices and types, bech32 by default", () => {
    const addresses = Array.from({ length: 20 }, (_, index) =>
      typeNames.map((type) => onBitcoin.depositAt(index, type).address),
    ).flat();
    expect(new Set(addresses).size).toBe(80);
    expect(onBitcoin.depositAt(3, null)).toEqual(onBitcoin.depositAt(3, "bech32"));
    expect(onBitcoin.types.filter((type) => type.isDefault).map((type) => type.name)).toEqual([
      "bech32",
    ]);
  });

  it("derives the same addresses from every SLIP-132 encoding of a key", () => {
    const account = root.derive("m/84'/0'/0'");
    const zpub = HDKey.fromMasterSeed(
      mnemonicToSeedSync(
        "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
      ),
      { public: 0x04b24746, private: 0x04b2430c },
    ).derive("m/84'/0'/0'").publicExtendedKey;
    expect(zpub).toMatch(/^zpub/);
    expect(account.publicExtendedKey).toMatch(/^xpub/);
    expect(createAddressing(bitcoin, "main", { bech32: zpub }).depositAt(0, null).address).toBe(
      "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
    );
  });

  it.each([
    ["a private key", root.derive("m/84'/0'/0'").privateExtendedKey, /private/],
    ["the root", root.publicExtendedKey, /depth 0/],
    ["a change-level key", root.derive("m/84'/0'/0'/0").publicExtendedKey, /depth 4/],
    [
      "a wrong checksum",
      `${root.derive("m/84'/0'/0'").publicExtendedKey.slice(0, -1)}1`,
      /checksum/,
    ],
    ["nonsense", "zpub", /not an extended public key/],
    [
      "a test network's key on the main one",
      HDKey.fromMasterSeed(new Uint8Array(32).fill(7), testVersions).derive("m/84'/0'/0'")
        .publicExtendedKey,
      /test network/,
    ],
  ])("refuses %s as an account key", (_, key, reason) => {
    expect(() => createAddressing(bitcoin, "main", { bech32: key })).toThrow(reason);
  });
});

describe("parse", () => {
  /** BIP173 and BIP350: address and output script. */
  it.each([
    ["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "0014751e76e8199196d454941c45d1b3a323f1433bd6"],
    [
      "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
      "512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
    ],
    ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "76a91477bff20c60e522dfaa3350c39b030a5d004e839a88ac"],
    ["3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", "a914b472a266d0bd89c13706a4132ccfb16f7c3b9fcb87"],
  ])("parses the address %s to its output script", (address, script) => {
    const destination = onBitcoin.parse(address, null)!;
    expect(onBitcoin.watchKey(destination)).toBe(script);
    expect(destination.address).toBe(address.startsWith("BC1") ? address.toLowerCase() : address);
  });

  it("parses BIP173's and BIP350's addresses of the test network", () => {
    const onTest = all[1]!.addressing;
    expect(
      onTest.watchKey(
        onTest.parse("tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7", null)!,
      ),
    ).toBe("00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262");
    expect(
      onTest.watchKey(
        onTest.parse("tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c", null)!,
      ),
    ).toBe("5120000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433");
  });

  it.each([
    ["a character changed", "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyv"],
    ["a character changed in base58", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3"],
    ["mixed case", "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306FYU"],
    ["another network's prefix", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"],
    ["another network's base58", "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn"],
    ["another chain's segwit", "ltc1q8c6fshw2dlwun7ekn9qwf37cu2rn755u9ym7p0"],
    ["another chain's base58", "LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1"],
    [
      "witness version 1 with bech32's checksum",
      "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd",
    ],
    [
      "witness version 0 with bech32m's checksum",
      "bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq54well",
    ],
    ["a BIP350 program too short", "bc1pw5dgrnzv"],
    ["a witness version without consensus rules", "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs"],
    ["the 16th witness version", "BC1SW50QGDZ25J"],
    ["a pay-to-anchor program", "bc1pfeessrawgf"],
    ["non-zero padding", "bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du"],
    ["no data", "bc1gmk9yu"],
    ["the Kelvin sign for a K", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7\u212aV8F3T4"],
    ["a leading space", " 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"],
    ["a base58check of 19 bytes", "2ttSrxE5cDjNUQNsZgnPMVcvgA2ZqG1Ee"],
    ["empty", ""],
    ["a letter that base58 lacks", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN0"],
  ])("refuses %s", (_, address) => {
    expect(onBitcoin.parse(address, null)).toBeNull();
  });

  it("refuses a tag, which no payment on this chain carries", () => {
    expect(onBitcoin.parse("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "7")).toBeNull();
  });

  it("refuses addresses of every other chain and network, except base58 among the test networks", () => {
    for (const ours of all)
      for (const theirs of all) {
        if (ours === theirs) continue;
        for (const type of typeNames) {
          const { address } = theirs.addressing.depositAt(0, type);
          const parsed = ours.addressing.parse(address, null);
          const isBase58 = type === "legacy" || type === "p2sh-segwit";
          const isSharedOnTests =
            isBase58 && ours.network !== "main" && theirs.network !== "main" && parsed !== null;
          // Litecoin's old script-hash form is Bitcoin's own: the node accepts it as Litecoin's, and so do we.
          const isOldForm = ours.chain === litecoin && type === "p2sh-segwit" && parsed !== null;
          expect([isSharedOnTests || isOldForm, parsed === null]).toContain(true);
          if (ours.network === "main" && theirs.network !== "main") expect(parsed).toBeNull();
        }
      }
  });
});

describe("litecoin", () => {
  it("rewrites the old script-hash form as the current one of the same script", () => {
    const old = "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy";
    const shown = onLitecoin.parse(old, null)!;
    expect(shown).toEqual({
      address: "MQMHBtvnBfxTzt3K2bdxgSE7qZPHSXWsGM",
      addressType: "p2sh-segwit",
      tag: null,
    });
    expect(onLitecoin.parse(shown.address, null)).toEqual(shown);
    expect(onLitecoin.watchKey(shown)).toBe(onBitcoin.watchKey(onBitcoin.parse(old, null)!));
  });

  it.each([
    [
      "ltcmweb1qq0aq9agdqwjkqcxzwqjwj9xw4c3rl2yc4flvdp0zhl0kvcdl3vd2q5n2v6q9mw3fh8e2z0vv6hwx4l5prx5ymx4wykqhvmzznpjcazmzrgc4yyvqg",
    ],
    ["ltcmweb1"],
    ["bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"],
    ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"],
  ])("refuses %s", (address) => {
    expect(onLitecoin.parse(address, null)).toBeNull();
  });
});
