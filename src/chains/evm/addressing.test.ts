import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { InvariantViolation } from "../../platform/kernel/assert.ts";
import { createEvmAddressing } from "./addressing.ts";

/* Vectors: the developer accounts that Hardhat and Anvil print for their shared phrase, and the examples of EIP-55. */

const account = HDKey.fromMasterSeed(
  mnemonicToSeedSync("test test test test test test test test test test test junk"),
).derive("m/44'/60'/0'");
const currencies = builtInCurrencies.filter(({ chain }) => chain === "ETH");
const addressing = createEvmAddressing(account.publicExtendedKey, currencies);

it.each([
  [0, "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"],
  [1, "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"],
  [9, "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720"],
])("derives the deposit address %i that wallets show", (index, address) => {
  const destination = { address, addressType: null, tag: null };
  expect(addressing.depositAt(index, null)).toEqual(destination);
  expect(addressing.rederiveDepositAt(index, null)).toEqual(destination);
  expect(addressing.watchKey(destination)).toBe(address.toLowerCase());
});

it("derives the same address with two libraries at any index", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (index) => {
      expect(addressing.rederiveDepositAt(index, null)).toEqual(addressing.depositAt(index, null));
    }),
    { numRuns: 200 },
  );
});

it("derives addresses that match the masks shown", () => {
  const [type] = addressing.types;
  const masks = type?.masks.map((mask) => new RegExp(mask)) ?? [];
  expect(masks).toHaveLength(1);
  for (let index = 0; index < 50; index += 1)
    expect(addressing.depositAt(index, null).address).toMatch(masks[0]!);
});

it.each([
  ["a private key", account.privateExtendedKey],
  ["the key of another depth", account.deriveChild(0).publicExtendedKey],
])("refuses %s as the account's extended public key", (_, key) => {
  expect(() => createEvmAddressing(key, [])).toThrow(InvariantViolation);
});

it.each([-1, 2 ** 31, 0.5])("refuses the index %s", (index) => {
  expect(() => addressing.depositAt(index, null)).toThrow(InvariantViolation);
});

describe("parse", () => {
  const eip55 = [
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0xde709f2102306220921060314715629080e2fb77",
  ];

  it.each(eip55)("accepts the address %s with its checksum and in a single case", (address) => {
    const upper = `0x${address.slice(2).toUpperCase()}`;
    for (const text of [address, address.toLowerCase(), upper])
      expect(addressing.parse(text, null)).toEqual({ address, addressType: null, tag: null });
  });

  it.each(eip55.slice(0, 4))("refuses %s with one letter in the wrong case", (address) => {
    const place = address.slice(2).search(/[a-f]/i) + 2;
    const digit = address.charAt(place);
    const turned = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase();
    const text = address.slice(0, place) + turned + address.slice(place + 1);
    expect(addressing.parse(text, null)).toBeNull();
  });

  it.each([
    ["no prefix", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["a capital prefix", "0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"],
    ["a space", " 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["too short", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae"],
    ["too long", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed0"],
    ["a digit that is not hexadecimal", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg"],
    ["a name", "vitalik.eth"],
    ["the zero address", `0x${"0".repeat(40)}`],
    ["a precompiled contract", `0x${"11".padStart(40, "0")}`],
    ["the newest precompiled contract", `0x${"100".padStart(40, "0")}`],
    ["a burn address", "0x000000000000000000000000000000000000dEaD"],
    ["the placeholder for ether", "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"],
    ["the USDT contract", "0xdAC17F958D2ee523a2206206994597C13D831ec7"],
    ["the USDT contract in lower case", "0xdac17f958d2ee523a2206206994597c13d831ec7"],
  ])("refuses %s", (_, text) => {
    expect(addressing.parse(text, null)).toBeNull();
  });

  it("refuses a tag", () => {
    expect(addressing.parse(eip55[0]!, "1")).toBeNull();
  });
});
