import { describe, expect, it } from "vitest";
import vectors from "../../../test/vectors/monero-addresses.json" with { type: "json" };
import { moneroAddressText, readMoneroAddress } from "../../currencies/monero-address.ts";
import { createMoneroAddressing } from "./addressing.ts";
import { secretKeyOf } from "./crypto/points.ts";
import { subaddressKeys, subaddressKeysAgain } from "./crypto/subaddress.ts";

const prefixes = { standard: 18, integrated: 19, subaddress: 42 };
const { subaddresses, integrated } = vectors.wallet;
const primary = readMoneroAddress(subaddresses[0]!.address, prefixes)!;
const keys = {
  viewSecret: secretKeyOf(Buffer.from(vectors.wallet.viewKey, "hex")),
  spendKey: primary.spendKey,
};
const addressing = createMoneroAddressing(prefixes, keys);
const destination = (address: string) => ({ address, addressType: null, tag: null });

describe("the addressing of a Monero account", () => {
  it.each(subaddresses)("derives $major/$minor as Monero's own wallet does", (expected) => {
    const { address, major, minor } = expected;
    const kind = major === 0 && minor === 0 ? "standard" : "subaddress";
    for (const derive of [subaddressKeys, subaddressKeysAgain])
      expect(
        moneroAddressText({ kind, ...derive(keys, { major, minor }), paymentId: null }, prefixes),
      ).toBe(address);
  });

  it("gives deposits the subaddresses of account 0, and change the account's own address", () => {
    const at = (major: number, minor: number): string =>
      subaddresses.find((one) => one.major === major && one.minor === minor)!.address;
    expect(addressing.changeAt?.(0)).toEqual(destination(at(0, 0)));
    expect(addressing.changeAt?.(1)).toEqual(destination(at(1, 1)));
    for (const minor of [1, 2, 3, 50, 64]) {
      expect(addressing.depositAt(minor - 1, null)).toEqual(destination(at(0, minor)));
      expect(addressing.rederiveDepositAt(minor - 1, null)).toEqual(destination(at(0, minor)));
    }
  });

  it("parses every kind of address, and watches an integrated one like its standard one", () => {
    for (const { address } of [...subaddresses, ...integrated])
      expect(addressing.parse(address, null)).toEqual(destination(address));
    const [own] = subaddresses;
    const key = addressing.watchKey(destination(own!.address));
    expect(key).toBe(Buffer.from(primary.spendKey).toString("hex"));
    for (const { address } of integrated)
      expect(addressing.watchKey(destination(address))).toBe(key);
  });

  it("pays no tag, and no key to which no secret belongs", () => {
    expect(addressing.parse(subaddresses[0]!.address, "1")).toBeNull();
    const bad = [
      // The neutral point, a point of order 8, and bytes that are no point (monero's tests/crypto/tests.txt).
      `01${"00".repeat(31)}`,
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
      "a6482d5a66612a7d977d0f472e51e6ec30333b21d6bacfdbfa63be9d23d0baea",
    ];
    for (const hex of bad) {
      const key = Uint8Array.from(Buffer.from(hex, "hex"));
      for (const part of [{ spendKey: key }, { viewKey: key }])
        expect(
          addressing.parse(moneroAddressText({ ...primary, ...part }, prefixes), null),
        ).toBeNull();
    }
  });
});
