import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { TronWeb } from "tronweb";
import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import type { Currency } from "../../currencies/currency.ts";
import { canonicalTronAddress } from "../../currencies/tron-address.ts";
import { InvariantViolation } from "../../platform/kernel/assert.ts";
import { accountPaths, type KeyTree } from "../../signer/keys/account-paths.ts";
import { coreHex, fromCoreHex, toHexAddress } from "./address.ts";
import { createTronAddressing } from "./addressing.ts";
import { createTronPayeeAddressing } from "./payee-addressing.ts";

/*
 * Addresses and phrases are those of trustwallet/wallet-core (tests/chains/Tron, and the example of its Flutter binding); tronweb
 * converts and derives the same ones.
 */

const words = "bean stone deal ship become wash net shift spoil embark luggage sand";
const seed = mnemonicToSeedSync(words);
const tree: KeyTree = {
  keyspace: "TRX",
  coinType: 195,
  isSharedByNetworks: false,
  addressTypes: ["", "hot", "gas"],
};
const xpubOf = (network: "main" | "test", addressType: string): string => {
  const { path, key } = accountPaths(network, [tree]).find(
    (account) => account.keyspace === "TRX" && account.addressType === addressType,
  )!;
  return HDKey.fromMasterSeed(seed, key.kind === "bip32" ? key : undefined).derive(path)
    .publicExtendedKey;
};

/** Tether's contract, to which this deployment pays nothing. */
const tether = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const tokens: readonly Currency[] = builtInCurrencies
  .filter(({ alpha }) => alpha === "USDT-TRX")
  .map((token) => ({ ...token, token: { contract: tether, locator: tether } }));
const treasury = { hot: xpubOf("main", "hot"), gas: xpubOf("main", "gas") };
const addressing = createTronAddressing(xpubOf("main", ""), tokens, treasury);

describe("the addresses of TRON deposits", () => {
  it("start with the address that wallets show for the phrase", () => {
    const destination = {
      address: "TSiXa4Yv9kwqZaw71fvMjLd5QcrQRzJdhc",
      addressType: null,
      tag: null,
    };
    expect(addressing.depositAt(0, null)).toEqual(destination);
    expect(addressing.rederiveDepositAt(0, null)).toEqual(destination);
    expect(addressing.watchKey(destination)).toBe(destination.address);
  });

  it.each([
    [0, 0],
    [1, 0],
    [999, 0],
    [0, 1],
    [0, 2],
  ])("are at index %i what tronweb derives, in account %i", (index, account) => {
    const { address } = TronWeb.fromMnemonic(words, `m/44'/195'/${account}'/0/${index}`);
    const own = [
      addressing.depositAt(index, null),
      addressing.treasury?.hot,
      addressing.treasury?.gas,
    ];
    expect(own[account]?.address).toBe(address);
  });

  it("are the same with two libraries at any index", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (index) => {
        expect(addressing.rederiveDepositAt(index, null)).toEqual(
          addressing.depositAt(index, null),
        );
      }),
      { numRuns: 100 },
    );
  });

  it("match the mask of the address type", () => {
    const [mask] = addressing.types.flatMap(({ masks }) => masks);
    for (let index = 0; index < 50; index += 1)
      expect(addressing.depositAt(index, null).address).toMatch(new RegExp(mask!));
  });

  it("differ on test networks", () => {
    const test = createTronAddressing(xpubOf("test", ""), [], {
      hot: xpubOf("test", "hot"),
      gas: xpubOf("test", "gas"),
    });
    expect(test.rederiveDepositAt(0, null)).toEqual(test.depositAt(0, null));
    const all = [addressing, test].flatMap(({ depositAt, treasury: own }) => [
      depositAt(0, null).address,
      own?.hot.address,
      own?.gas.address,
    ]);
    expect(new Set(all).size).toBe(6);
  });

  it("cannot be derived from a private key, or from the key of another depth", () => {
    const master = HDKey.fromMasterSeed(seed);
    expect(() =>
      createTronAddressing(master.derive("m/44'/195'/0'").privateExtendedKey, []),
    ).toThrow(/an extended public key is needed/);
    expect(() => createTronAddressing(master.derive("m/44'/195'").publicExtendedKey, [])).toThrow(
      /not that of an account/,
    );
  });

  it.each([-1, 2 ** 31, 0.5])("are not derived at index %s", (index) => {
    expect(() => addressing.depositAt(index, null)).toThrow(InvariantViolation);
  });
});

describe("parsing a TRON address", () => {
  const { parse } = createTronPayeeAddressing(tokens);
  const valid = [
    "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC",
    "THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV",
    "THRF3GuPnvvPzKoaT8pJex5XHmo8NNbCb3",
    "TQLCsShbQNXMTVCjprY64qZmEA4rBarpQp",
  ];

  it.each(valid)(
    "accepts %s in base58check and in hexadecimal with its version byte",
    (address) => {
      const hex = toHexAddress(address);
      expect(hex).toBe(TronWeb.address.toHex(address));
      for (const text of [address, hex, hex.toUpperCase(), `0x${hex}`])
        expect(parse(text, null)).toEqual({ address, addressType: null, tag: null });
    },
  );

  it("parses every address from its hexadecimal form", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const core = Buffer.from(bytes).toString("hex");
        const address = fromCoreHex(core);
        expect(address).toBe(TronWeb.address.fromHex(`41${core}`));
        expect(canonicalTronAddress(address)).toBe(address);
        expect(coreHex(address)).toBe(core);
      }),
    );
  });

  it("refuses an address with any one character changed", () => {
    const [address] = valid;
    const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    fc.assert(
      fc.property(
        fc.nat({ max: 33 }),
        fc.constantFrom(...Array.from(alphabet)),
        (place, letter) => {
          const text = address!.slice(0, place) + letter + address!.slice(place + 1);
          expect(parse(text, null)?.address ?? null).toBe(text === address ? address : null);
        },
      ),
    );
  });

  it.each([
    ["no text", ""],
    ["another case", valid[0]!.toLowerCase()],
    ["a space in front", ` ${valid[0]!}`],
    ["a line break at the end", `${valid[0]!}\n`],
    ["a letter too many", `${valid[0]!}a`],
    ["a letter that base58 leaves out", valid[0]!.replace("J", "I")],
    ["an address of Bitcoin", "175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W"],
    ["an address of an EVM chain", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["forty digits without a version byte", coreHex(valid[0]!)],
    ["the version byte of another network", `a0${coreHex(valid[0]!)}`],
    ["a digit too few", toHexAddress(valid[0]!).slice(0, -1)],
    ["the zero address", "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"],
    ["the zero address in hexadecimal", `41${"0".repeat(40)}`],
    ["a contract of the virtual machine", fromCoreHex("1000015".padStart(40, "0"))],
    ["the account that collects burned coin", "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy"],
    ["the contract of a listed token", tether],
    ["that contract in hexadecimal", toHexAddress(tether)],
    ["a short text of base58check", "2MegQ6oqSda2tTagdEzBA"],
  ])("refuses %s", (_, text) => {
    expect(parse(text, null)).toBeNull();
  });

  it("refuses a tag", () => {
    expect(parse(valid[0]!, "1")).toBeNull();
  });
});
