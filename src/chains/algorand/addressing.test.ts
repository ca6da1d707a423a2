import algosdk from "algosdk";
import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { createAlgorandAddressing } from "./addressing.ts";

const keyOf = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const addressing = createAlgorandAddressing({ hot: keyOf(1), gas: keyOf(2) });

describe("the addressing of Algorand", () => {
  it("spells the addresses of keys as algosdk does, by both computations", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => {
        const address = algosdk.encodeAddress(key);
        const expected = { address, addressType: null, tag: null };
        expect(addressing.addressOf(key)).toEqual(expected);
        expect(addressing.addressAgain(key)).toEqual(expected);
        expect(addressing.withWatchKey(addressing.watchKey(expected))).toEqual(expected);
        if (key.some((byte) => byte !== 0))
          expect(addressing.parse(address, null)).toEqual(expected);
      }),
    );
  });

  it("parses the address that wallet-core derives", () => {
    // trustwallet/wallet-core, tests/chains/Algorand/AddressTests.cpp.
    const key = Buffer.from(
      "c2b423afa8b0095e5ae105668b91b2132db4dadbf38acfc64908d3476a00191f",
      "hex",
    );
    expect(addressing.addressOf(key).address).toBe(
      "YK2CHL5IWAEV4WXBAVTIXENSCMW3JWW36OFM7RSJBDJUO2QADEP5QYVO5I",
    );
  });

  it("pays neither a wrong checksum, another spelling nor the key that nobody has", () => {
    const { address } = addressing.addressOf(keyOf(7));
    const zero = algosdk.encodeAddress(keyOf(0));
    for (const text of [
      zero,
      address.toLowerCase(),
      ` ${address}`,
      `${address}=`,
      `${address.slice(0, -2)}${address.endsWith("AA") ? "BB" : "AA"}`,
      address.slice(0, -1),
      `algorand://${address}`,
    ])
      expect(addressing.parse(text, null)).toBeNull();
    expect(addressing.parse(address, "1")).toBeNull();
  });

  it("rejects a last character with unused bits", () => {
    const { address } = addressing.addressOf(keyOf(7));
    const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    const last = digits.indexOf(address.slice(-1));
    for (const other of [last ^ 1, last ^ 2, last ^ 3])
      expect(addressing.parse(address.slice(0, -1) + digits.charAt(other), null)).toBeNull();
  });
});
